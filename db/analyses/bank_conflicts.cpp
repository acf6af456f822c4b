// bank_conflicts: shared-memory sites whose warps need several passes, worst first; clean ones after them.
#include <set>

#include "db/analyses/bank_trials.h"
#include "db/analyses/site_patterns.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/weights.h"

namespace cui::db {

namespace {

std::string checkedSuggestion(const BankTrial& trial, std::int64_t siteId) {
  const BankTrial::PerSite& site = trial.sites.at(siteId);
  const auto perRequest = [](std::uint64_t wavefronts, std::uint64_t requests) {
    return static_cast<double>(wavefronts) / static_cast<double>(requests);
  };
  std::string text =
      trial.advice + formatted(
                         "; recomputed from %llu requests: %.1f instead of %.1f wavefronts/request here, "
                         "%llu instead of %llu wavefronts over all accesses to %s",
                         static_cast<unsigned long long>(trial.requests),
                         perRequest(site.after, site.requests), perRequest(site.wavefronts, site.requests),
                         static_cast<unsigned long long>(trial.wavefrontsAfter),
                         static_cast<unsigned long long>(trial.wavefronts), trial.variable.c_str());
  if (trial.extraBytes != 0)
    text += formatted(", for %llu bytes of shared memory", static_cast<unsigned long long>(trial.extraBytes));
  return text;
}

/// Of accesses that follow no rule a changed layout moves the conflicts about, and a few fewer are chance.
/// Halves are not: the lanes of a block narrower than a warp only look as if they followed none.
bool helps(const BankTrial& trial, std::int64_t siteId, bool irregular) {
  if (trial.advice.empty()) return false;
  const BankTrial::PerSite& site = trial.sites.at(siteId);
  return !irregular || 2 * site.after <= site.wavefronts;
}

std::string suggestionFor(const Finding& finding, const Pattern& pattern,
                          const std::vector<BankTrial>& trials) {
  // A template's or a dynamic array's sizes may differ between launches: the variable with most of the site.
  const BankTrial* chosen = nullptr;
  for (const BankTrial& trial : trials) {
    const auto site = trial.sites.find(finding.siteId);
    if (site == trial.sites.end()) continue;
    if (!chosen || site->second.requests > chosen->sites.at(finding.siteId).requests) chosen = &trial;
  }
  const bool irregular = pattern.requests != 0 && pattern.irregular;
  if (chosen && helps(*chosen, finding.siteId, irregular)) return checkedSuggestion(*chosen, finding.siteId);
  if (irregular)
    return "which elements a warp's threads access depends on data: give each warp a copy of " +
           finding.base +
           " of its own, or spread the elements that are often accessed together over different banks";
  if (chosen)
    return "neither padding nor swizzling the rows of " + finding.base +
           " helps (recomputed): change the index so that a warp's threads fall into different banks";
  return "pad the rows of " + finding.base +
         " by one element, or change the index so that a warp's threads fall into different banks";
}

Error advise(const TraceReader& reader, std::vector<Finding>& findings) {
  std::set<std::int64_t> sites;
  for (const Finding& finding : findings)
    if (finding.severity != Finding::Severity::info) sites.insert(finding.siteId);
  if (sites.empty()) return {};
  TraceModel model;
  std::map<std::int64_t, Pattern> patterns;
  std::vector<BankTrial> trials;
  Error error = TraceModel::load(reader, model);
  if (!error) error = collectPatterns(reader, model, sites, patterns);
  if (!error) error = tryBankChanges(reader, model, sites, trials);
  if (error) return error;
  for (Finding& finding : findings) {
    if (finding.severity == Finding::Severity::info) continue;
    const Pattern& pattern = patterns[finding.siteId];
    finding.why = "lanes that want different words of one bank are served one after the other";
    if (pattern.requests != 0 && !pattern.irregular) {
      finding.why +=
          formatted(": neighbouring lanes are %lld bytes apart", static_cast<long long>(pattern.stride));
      finding.numbers.emplace_back("stride", static_cast<double>(pattern.stride));
    }
    finding.suggestion = suggestionFor(finding, pattern, trials);
  }
  return {};
}

}  // namespace

Error bankConflicts(const TraceReader& reader, const AnalysisOptions& options,
                    std::vector<Finding>& findings) {
  static constexpr const char* names[] = {"requests", "wavefronts", "ideal_wavefronts", "bank_conflicts",
                                          "wavefronts_per_request"};
  Weights weights;
  if (Error error = Weights::load(reader, weights)) return error;
  Error error = reader.query(
      std::string("SELECT ") + siteColumns +
          ", requests, wavefronts, ideal_wavefronts, bank_conflicts, wavefronts_per_request FROM hot_site "
          "WHERE wavefronts > 0 ORDER BY bank_conflicts DESC, wavefronts DESC, file, line, column, site_id "
          "LIMIT " +
          std::to_string(options.limit),
      [&](Row row) {
        Finding finding = siteFinding(row);
        std::size_t column = siteColumnCount;
        for (const char* name : names) finding.numbers.emplace_back(name, asReal(row[column++]));
        const double requests = asReal(row[8]), wavefronts = asReal(row[9]), ideal = asReal(row[10]);
        const double perRequest = asReal(row[12]), idealPerRequest = requests > 0 ? ideal / requests : 1;
        if (asReal(row[11]) > 0) {
          weights.weighCost(finding, 4 * (wavefronts - ideal));
          finding.verdict = formatted("%.3g-way bank conflict on %s: %.1f wavefronts/request, ideal %.1f",
                                      wavefronts / ideal, finding.base.c_str(), perRequest, idealPerRequest);
        } else {
          finding.verdict =
              formatted("no bank conflicts on %s: %.1f wavefronts/request", finding.base.c_str(), perRequest);
        }
        findings.push_back(std::move(finding));
        return true;
      });
  return error ? error : advise(reader, findings);
}

}  // namespace cui::db
