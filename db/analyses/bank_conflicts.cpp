// bank_conflicts: shared-memory sites whose warps need several passes, worst first; clean ones after them.
#include <cctype>

#include "db/analyses/site_rows.h"

namespace cui::db {

namespace {

/// `float tile[32][33]` for the declaration of tile as float[32][32]; "" if the type has no such dimension.
std::string padded(const std::string& type, const std::string& name) {
  const std::size_t open = type.rfind('['), firstBracket = type.find('[');
  if (open == std::string::npos || type.back() != ']' || open == firstBracket) return {};
  const std::string number = type.substr(open + 1, type.size() - open - 2);
  if (number.empty() || number.size() > 6) return {};
  for (const char c : number)
    if (!std::isdigit(static_cast<unsigned char>(c))) return {};
  return type.substr(0, firstBracket) + " " + name + type.substr(firstBracket, open - firstBracket) + "[" +
         std::to_string(std::stoi(number) + 1) + "]";
}

std::string declaredType(const TraceReader& reader, const Finding& finding) {
  std::string type;
  const Value parameters[] = {std::string_view(finding.base), std::string_view(finding.function)};
  const Error ignored = reader.query(
      "SELECT type FROM shared_variable WHERE name = ?1 AND function IN (?2, '') ORDER BY function = ?2 DESC "
      "LIMIT 1",
      [&type](Row row) {
        type = asText(row[0]);
        return false;
      },
      parameters);
  return type;
}

std::string suggestionFor(const TraceReader& reader, const Finding& finding) {
  const Pattern pattern = patternOf(reader, finding.siteId);
  if (pattern.known && pattern.irregular)
    return "which elements a warp's threads access depends on data: give each warp a copy of " +
           finding.base +
           " of its own, or spread the elements that are often accessed together over different banks";
  const std::string type = declaredType(reader, finding), declaration = padded(type, finding.base);
  const std::string others = ", or change the index so that a warp's threads fall into different banks";
  if (!declaration.empty()) return "pad each row by one element: " + declaration + others;
  if (type.find('[') != std::string::npos)
    return "leave out one element of " + finding.base + " after every 32 (index i + i / 32)" + others;
  return "pad the rows of " + finding.base + " by one element" + others;
}

}  // namespace

Error bankConflicts(const TraceReader& reader, const AnalysisOptions& options,
                    std::vector<Finding>& findings) {
  const Error error = reader.query(
      std::string("SELECT ") + siteColumns +
          ", requests, wavefronts, ideal_wavefronts, bank_conflicts, wavefronts_per_request FROM hot_site "
          "WHERE wavefronts > 0 ORDER BY bank_conflicts DESC, wavefronts DESC, file, line, column, site_id "
          "LIMIT " +
          std::to_string(options.limit),
      [&](Row row) {
        Finding finding = siteFinding(row);
        static constexpr const char* names[] = {"requests", "wavefronts", "ideal_wavefronts",
                                                "bank_conflicts", "wavefronts_per_request"};
        std::size_t column = siteColumnCount;
        for (const char* name : names) finding.numbers.emplace_back(name, asReal(row[column++]));
        const double requests = asReal(row[8]), wavefronts = asReal(row[9]), ideal = asReal(row[10]);
        const double perRequest = asReal(row[12]), idealPerRequest = requests > 0 ? ideal / requests : 1;
        if (asReal(row[11]) > 0) {
          finding.severity =
              wavefronts >= 2 * ideal ? Finding::Severity::problem : Finding::Severity::warning;
          finding.verdict = formatted("%.3g-way bank conflict on %s: %.1f wavefronts/request, ideal %.1f",
                                      wavefronts / ideal, finding.base.c_str(), perRequest, idealPerRequest);
        } else {
          finding.verdict =
              formatted("no bank conflicts on %s: %.1f wavefronts/request", finding.base.c_str(), perRequest);
        }
        findings.push_back(std::move(finding));
        return true;
      });
  for (Finding& finding : findings)
    if (finding.severity != Finding::Severity::info) finding.suggestion = suggestionFor(reader, finding);
  return error;
}

}  // namespace cui::db
