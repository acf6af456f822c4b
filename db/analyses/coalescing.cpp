// coalescing: sites whose warps touch more 32-byte sectors than their bytes need, worst first.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "db/analyses/site_patterns.h"
#include "db/analyses/site_rows.h"
#include "db/analyses/stable_sort.h"
#include "db/analyses/struct_fields.h"
#include "db/analyses/weights.h"

namespace cui::db {

namespace {

std::string elements(std::int64_t stride, std::uint32_t bytes) {
  return bytes != 0 && stride % bytes == 0
             ? formatted(" (%lld elements)", static_cast<long long>(stride / bytes))
             : std::string();
}

struct Advice {
  std::string why, suggestion;
};

Advice adviceFor(const Finding& finding, const Pattern& pattern) {
  const std::string member = memberOf(finding.expression);
  const std::int64_t distance = std::llabs(pattern.stride);
  if (pattern.requests == 0)  // measured, but not kept access by access
    return {"", member.empty()
                    ? "let threadIdx.x run along the array's fastest dimension"
                    : "keep each field in an array of its own (structure of arrays) instead of an array of "
                      "structures"};
  if (pattern.irregular && pattern.sectors * 4 <= pattern.lanes)  // broadcasts, runs
    return {
        formatted("the lanes of a warp lie in groups apart: %.1f sectors for %.1f lanes of %u bytes",
                  pattern.sectors, pattern.lanes, pattern.bytes),
        pattern.blockWidth % format::lanesPerWarp != 0
            ? formatted("a warp has more than one row of blocks that are %u threads wide: with a multiple of "
                        "32 it has one, and its lanes one group",
                        pattern.blockWidth)
            : "let a warp's threads share fewer places: all lanes one element, or neighbouring ones"};
  if (pattern.irregular)
    return {
        formatted("the lanes' addresses follow no stride: %.1f lanes of %u bytes touch %.1f sectors of 32",
                  pattern.lanes, pattern.bytes, pattern.sectors),
        "the lanes' addresses are irregular: order the work so that neighbouring threads access "
        "neighbouring elements, or gather through shared memory"};
  if (distance <= pattern.bytes && pattern.idleBetween)
    return {"threads between the active ones are idle: the sectors hold their elements too",
            "let the threads that have work be neighbours: compact it, or branch on the warp"};
  if (distance <= pattern.bytes)
    return {
        formatted("the warp's bytes are dense but begin %u bytes into a 32-byte sector, so that they spill "
                  "into one sector more",
                  pattern.sectorOffset),
        "the warp's first address is not aligned to 32 bytes: align the array's rows (cudaMallocPitch) or "
        "start the index at a multiple of the warp"};
  const std::string apart =
      formatted("neighbouring threads are %lld bytes apart", static_cast<long long>(distance));
  if (wantsArrays(pattern)) {
    const std::string field =
        member.empty() ? formatted("the bytes at offset %u", pattern.fieldOffset) : "field " + member;
    return {
        formatted(
            "only %u of the %u bytes of each %s are used here; the rest of the sectors is moved in vain",
            pattern.bytes, pattern.elementBytes,
            pattern.objectType.empty() ? "element" : pattern.objectType.c_str()),
        apart + ": keep " + field +
            formatted(" in an array of its own (structure of arrays): %.1f instead of %.1f sectors/request, "
                      "recomputed from %llu requests",
                      pattern.soaSectors, pattern.structSectors,
                      static_cast<unsigned long long>(pattern.requests))};
  }
  const std::string why =
      apart + elements(distance, pattern.bytes) + ", so that each sector serves few of a warp's lanes";
  if (!member.empty() && distance < 256)
    return {why, apart +
                     ": keep each field in an array of its own (structure of arrays) instead of an array of "
                     "structures"};
  return {why, apart +
                   ": let threadIdx.x run along the array's fastest dimension, or move a tile through shared "
                   "memory and access it by columns there"};
}

void advise(Finding& finding, const Pattern& pattern) {
  Advice advice = adviceFor(finding, pattern);
  finding.why = std::move(advice.why);
  finding.suggestion = std::move(advice.suggestion);
  if (pattern.requests == 0) return;
  if (!pattern.irregular) finding.numbers.emplace_back("stride", static_cast<double>(pattern.stride));
  finding.numbers.emplace_back("sector_offset", pattern.sectorOffset);
  if (pattern.structSectors > 0) finding.numbers.emplace_back("soa_sectors_per_request", pattern.soaSectors);
}

/// Of the sites that move more than they must.
Error patternsOf(const TraceReader& reader, const std::vector<Finding>& findings,
                 std::map<std::int64_t, Pattern>& patterns) {
  std::set<std::int64_t> sites;
  for (const Finding& finding : findings)
    if (finding.saving > 0) sites.insert(finding.siteId);
  if (sites.empty()) return {};
  TraceModel model;
  Error error = TraceModel::load(reader, model);
  return error ? error : collectPatterns(reader, model, sites, patterns);
}

/// Rows of hot_site that are looked at for each finding: those about fields of one array become one.
constexpr std::size_t sitesPerFinding = 8;

}  // namespace

Error coalescing(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings) {
  static constexpr const char* names[] = {"requests",
                                          "sectors",
                                          "ideal_sectors",
                                          "excessive_sectors",
                                          "sectors_per_request",
                                          "ideal_sectors_per_request",
                                          "bytes_per_sector"};
  Weights weights;
  if (Error error = Weights::load(reader, weights)) return error;
  Error error =
      reader.query(std::string("SELECT ") + siteColumns +
                       ", requests, sectors, ideal_sectors, excessive_sectors, sectors_per_request, "
                       "ideal_sectors_per_request, bytes_per_sector FROM hot_site WHERE sectors > 0 ORDER BY "
                       "excessive_sectors DESC, sectors DESC, file, line, column, site_id LIMIT " +
                       std::to_string(sitesPerFinding * options.limit),
                   [&](Row row) {
                     Finding finding = siteFinding(row);
                     std::size_t column = siteColumnCount;
                     for (const char* name : names) finding.numbers.emplace_back(name, asReal(row[column++]));
                     const double actual = asReal(row[12]), ideal = asReal(row[13]);
                     weights.weighCost(finding, asReal(row[11]));
                     if (actual < 2 * ideal)  // the sector too many is mostly the next warp's, and in L1
                       finding.severity = std::min(finding.severity, Finding::Severity::warning);
                     finding.verdict = formatted("%s: %.1f sectors/request, ideal %.1f",
                                                 actual >= 2 * ideal ? "uncoalesced"
                                                 : actual > ideal    ? "partly coalesced"
                                                                     : "coalesced",
                                                 actual, ideal);
                     findings.push_back(std::move(finding));
                     return true;
                   });
  std::map<std::int64_t, Pattern> patterns;
  if (!error) error = patternsOf(reader, findings, patterns);
  if (error) return error;
  joinFields(findings, patterns, weights);
  stableSort(findings, [](const Finding& a, const Finding& b) { return a.saving > b.saving; });
  if (findings.size() > options.limit) findings.resize(options.limit);
  for (Finding& finding : findings)
    if (finding.severity != Finding::Severity::info && finding.suggestion.empty())
      advise(finding, patterns[finding.siteId]);
  return {};
}

}  // namespace cui::db
