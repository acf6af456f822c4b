// A report for programs. Members are only ever added; docs/cli.md lists them.
#include <nlohmann/json.hpp>

#include "cli/trace/report.h"

namespace cui::cli {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const db::Grid& grid) {
  const auto ranges = [](const std::vector<db::Grid::Range>& all) {
    Json list = Json::array();
    for (const db::Grid::Range& range : all) list.push_back({range.first, range.last});
    return list;
  };
  Json cells = Json::array();
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    const auto begin = grid.cells.begin() + static_cast<std::ptrdiff_t>(row * grid.columns.size());
    cells.push_back(std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(grid.columns.size())));
  }
  return {{"title", grid.title},
          {"rows", ranges(grid.rows)},
          {"columns", ranges(grid.columns)},
          {"cells", std::move(cells)}};
}

Json toJson(const Report& report, const ReportedFinding& finding) {
  Json numbers = Json::object();
  for (const auto& [name, value] : finding.numbers) numbers[name] = value;
  Json series = Json::array();
  for (const db::Series& one : finding.series) {
    Json bars = Json::array();
    for (const auto& [label, value] : one.bars) bars.push_back({{"label", label}, {"value", value}});
    series.push_back({{"title", one.title}, {"bars", std::move(bars)}});
  }
  Json grids = Json::array();
  for (const db::Grid& grid : finding.grids) grids.push_back(toJson(grid));
  Json related = Json::array();
  for (const db::Place& place : finding.related)
    related.push_back({{"file", place.file},
                       {"line", place.line},
                       {"column", place.column},
                       {"function", place.function},
                       {"expression", place.expression},
                       {"base", place.base},
                       {"site_id", place.siteId},
                       {"site_id_text", std::to_string(place.siteId)}});
  return {{"severity", db::nameOf(finding.severity)},
          {"verdict", finding.verdict},
          {"why", finding.why},
          {"suggestion", finding.suggestion},
          {"file", finding.file},
          {"line", finding.line},
          {"column", finding.column},
          {"function", finding.function},
          {"source", sourceLine(report, finding)},
          {"expression", finding.expression},
          {"base", finding.base},
          {"kind", finding.kind},
          {"site_id", finding.siteId},
          {"site_id_text", std::to_string(finding.siteId)},  // JavaScript's numbers end at 2^53
          {"share", finding.share},
          {"saving", finding.saving},
          {"numbers", std::move(numbers)},
          {"series", std::move(series)},
          {"grids", std::move(grids)},
          {"related", std::move(related)}};
}

}  // namespace

std::string reportAsJson(const Report& report) {
  Json json = {{"trace", report.trace},
               {"program", report.program},
               {"backend", report.backend},
               {"schema_version", report.schemaVersion},
               {"complete", report.complete},
               {"launches", report.launches},
               {"requests", report.requests},
               {"thread_accesses", report.threadAccesses},
               {"records_kept", report.recordsKept},
               {"instrumented_sites", report.instrumentedSites},
               {"skipped_sites", report.skippedSites},
               {"priorities", Json::array()},
               {"analyses", Json::array()},
               {"trace_stats", Json::array()},
               {"skipped", Json::array()}};
  for (const ReportSection& section : report.sections) {
    Json findings = Json::array();
    for (const ReportedFinding& finding : section.findings) findings.push_back(toJson(report, finding));
    json["analyses"].push_back(
        {{"name", section.name}, {"title", section.title}, {"findings", std::move(findings)}});
  }
  for (const Priority& priority : report.priorities)
    json["priorities"].push_back({{"analysis", report.sections[priority.section].name},
                                  {"finding", priority.finding},
                                  {"times", priority.times}});
  for (const TraceStat& stat : report.stats)
    json["trace_stats"].push_back({{"name", stat.name},
                                   {"severity", stat.severity},
                                   {"value", stat.value},
                                   {"launch_id", stat.launchId == 0 ? Json() : Json(stat.launchId)},
                                   {"detail", stat.detail}});
  for (const SkippedSite& site : report.skipped)
    json["skipped"].push_back({{"file", site.file},
                               {"line", site.line},
                               {"function", site.function},
                               {"expression", site.expression},
                               {"reason", site.reason}});
  // Paths need not be UTF-8; a report with one odd byte replaced is better than none.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cui::cli
