// coalescing: sites whose warps touch more 32-byte sectors than their bytes need, worst first.
#include "db/analyses/site_rows.h"

namespace cui::db {

namespace {

std::string suggestionFor(const Finding& finding, const Pattern& pattern) {
  const bool member =
      finding.expression.find('.') != std::string::npos || finding.expression.find("->") != std::string::npos;
  if (pattern.known && pattern.irregular)
    return "the lanes' addresses are irregular: order the work so that neighbouring threads access "
           "neighbouring "
           "elements, or gather through shared memory";
  const std::int64_t distance = pattern.stride < 0 ? -pattern.stride : pattern.stride;
  if (pattern.known && distance <= pattern.bytes)
    return "the warp's first address is not aligned to 32 bytes: align the array's rows (cudaMallocPitch) or "
           "start "
           "the index at a multiple of the warp";
  const std::string apart = pattern.known ? formatted("neighbouring threads are %lld bytes apart: ",
                                                      static_cast<long long>(distance))
                                          : std::string();
  if (member)
    return apart +
           "keep each field in an array of its own (structure of arrays) instead of an array of structures";
  return apart +
         "let threadIdx.x run along the array's fastest dimension, or move a tile through shared memory and "
         "access "
         "it by columns there";
}

}  // namespace

Error coalescing(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings) {
  const Error error =
      reader.query(std::string("SELECT ") + siteColumns +
                       ", requests, sectors, ideal_sectors, excessive_sectors, sectors_per_request, "
                       "ideal_sectors_per_request, "
                       "bytes_per_sector FROM hot_site WHERE sectors > 0 ORDER BY excessive_sectors DESC, "
                       "sectors DESC, file, line, "
                       "column, site_id LIMIT " +
                       std::to_string(options.limit),
                   [&](Row row) {
                     Finding finding = siteFinding(row);
                     static constexpr const char* names[] = {"requests",
                                                             "sectors",
                                                             "ideal_sectors",
                                                             "excessive_sectors",
                                                             "sectors_per_request",
                                                             "ideal_sectors_per_request",
                                                             "bytes_per_sector"};
                     std::size_t column = siteColumnCount;
                     for (const char* name : names) finding.numbers.emplace_back(name, asReal(row[column++]));
                     const double actual = asReal(row[12]), ideal = asReal(row[13]);
                     const char* word = "coalesced";
                     if (actual >= 2 * ideal) {
                       word = "uncoalesced";
                       finding.severity = Finding::Severity::problem;
                     } else if (actual > ideal) {
                       word = "partly coalesced";
                       finding.severity = Finding::Severity::warning;
                     }
                     finding.verdict = formatted("%s: %.1f sectors/request, ideal %.1f", word, actual, ideal);
                     findings.push_back(std::move(finding));
                     return true;
                   });
  for (Finding& finding : findings)
    if (finding.severity != Finding::Severity::info)
      finding.suggestion = suggestionFor(finding, patternOf(reader, finding.siteId));
  return error;
}

}  // namespace cui::db
