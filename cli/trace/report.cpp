// Gathering a report.
#include "cli/trace/report.h"

#include <map>

#include "cli/base/format_text.h"
#include "cli/trace/open.h"
#include "db/analyses/stable_sort.h"

namespace cui::cli {
namespace {

std::map<std::int64_t, std::string> siteKinds(const db::TraceReader& trace) {
  std::map<std::int64_t, std::string> kinds;
  throwIf(trace.query("SELECT site_id, kind FROM site", [&](db::Row row) {
    kinds[db::asInteger(row[0])] = db::asText(row[1]);
    return true;
  }));
  return kinds;
}

void readStats(const db::TraceReader& trace, Report& report) {
  throwIf(
      trace.query("SELECT name, severity, value, launch_id, detail FROM trace_stat WHERE severity <> 'info' "
                  "ORDER BY severity DESC, name, launch_id",
                  [&](db::Row row) {
                    TraceStat stat;
                    stat.name = db::asText(row[0]);
                    stat.severity = db::asText(row[1]);
                    stat.value = db::asInteger(row[2]);
                    stat.launchId = db::asInteger(row[3]);
                    stat.detail = db::asText(row[4]);
                    report.stats.push_back(std::move(stat));
                    return true;
                  }));
}

void readSkippedSites(const db::TraceReader& trace, Report& report) {
  throwIf(
      trace.query("SELECT file, line, function, expression, reason FROM site WHERE status = 'skipped' "
                  "ORDER BY file, line, column LIMIT " +
                      std::to_string(skippedLimit),
                  [&](db::Row row) {
                    report.skipped.push_back({db::asText(row[0]), db::asInteger(row[1]), db::asText(row[2]),
                                              db::asText(row[3]), db::asText(row[4])});
                    return true;
                  }));
}

/// What it says of which place, numbers aside: they tell apart what one line does to several allocations.
std::string sameThing(const ReportedFinding& finding, std::size_t section) {
  std::string verdict = finding.verdict;
  std::erase_if(verdict, [](char c) { return c >= '0' && c <= '9'; });
  return formatText("{} {}:{}:{} {} {}", section, finding.file, finding.line, finding.column,
                    finding.expression, verdict);
}

std::vector<Priority> prioritiesOf(const Report& report) {
  std::vector<Priority> all;
  if (report.sections.size() < 2) return all;
  for (std::size_t section = 0; section < report.sections.size(); ++section)
    for (std::size_t i = 0; i < report.sections[section].findings.size(); ++i) {
      const ReportedFinding& finding = report.sections[section].findings[i];
      if (finding.severity != db::Finding::Severity::info && (finding.wrong || finding.saving > 0))
        all.push_back({section, i});
    }
  db::stableSort(all, [&report](const Priority& left, const Priority& right) {
    const ReportedFinding &a = findingOf(report, left), &b = findingOf(report, right);
    if (a.wrong != b.wrong) return a.wrong;
    if (a.wrong) return a.severity > b.severity;
    return a.saving > b.saving;
  });
  std::map<std::string, std::size_t> places;
  std::vector<Priority> first;
  for (const Priority& priority : all) {
    const auto [place, isNew] =
        places.try_emplace(sameThing(findingOf(report, priority), priority.section), first.size());
    if (isNew)
      first.push_back(priority);
    else
      ++first[place->second].times;
  }
  if (first.size() > prioritiesLimit) first.resize(prioritiesLimit);
  return first;
}

}  // namespace

Report makeReport(const db::TraceReader& trace, const std::vector<const db::Analysis*>& analyses,
                  const db::AnalysisOptions& options) {
  Report report;
  report.trace = trace.path();
  report.program = queryText(trace,
                             "SELECT group_concat(program, ', ') FROM (SELECT program FROM process GROUP BY "
                             "1 ORDER BY min(begin_ns))");
  report.backend = queryText(trace, "SELECT backend FROM device UNION ALL SELECT backend FROM process");
  report.device = queryText(trace, "SELECT name FROM device ORDER BY device_id LIMIT 1");
  report.complete = trace.complete();
  report.schemaVersion = trace.schemaVersion();
  report.launches = queryInteger(trace, "SELECT count(*) FROM launch");
  report.recordsKept = queryInteger(trace, "SELECT ifnull(sum(record_count), 0) FROM access_chunk");
  report.requests = queryInteger(trace, "SELECT ifnull(sum(requests), 0) FROM site_metric");
  report.threadAccesses = queryInteger(trace, "SELECT ifnull(sum(thread_accesses), 0) FROM site_metric");
  report.instrumentedSites = queryInteger(trace, "SELECT count(*) FROM site WHERE status = 'instrumented'");
  report.skippedSites = queryInteger(trace, "SELECT count(*) FROM site WHERE status = 'skipped'");

  const std::map<std::int64_t, std::string> kinds = siteKinds(trace);
  std::vector<db::AnalysisResult> results;
  throwIf(db::runAnalyses(analyses, trace, options, results));
  for (db::AnalysisResult& result : results) {
    ReportSection section{result.name, result.title, {}};
    for (db::Finding& finding : result.findings) {
      const auto kind = kinds.find(finding.siteId);
      section.findings.push_back({std::move(finding), kind == kinds.end() ? "" : kind->second});
    }
    report.sections.push_back(std::move(section));
  }
  report.priorities = prioritiesOf(report);
  readStats(trace, report);
  readSkippedSites(trace, report);
  return report;
}

std::string verdictOf(const Report& report, const Priority& priority) {
  const std::string& verdict = findingOf(report, priority).verdict;
  return priority.times == 1 ? verdict : formatText("{} ({} times)", verdict, priority.times);
}

namespace {
void takePaths(ReportedFinding& finding, std::vector<std::string*>& paths) {
  if (!finding.file.empty()) paths.push_back(&finding.file);
  for (db::Place& place : finding.related) paths.push_back(&place.file);
}
}  // namespace

void shortenPaths(Report& report) {
  std::vector<std::string*> paths;
  for (ReportSection& section : report.sections)
    for (ReportedFinding& finding : section.findings) takePaths(finding, paths);
  for (SkippedSite& site : report.skipped) paths.push_back(&site.file);
  for (ReportedSource& source : report.sources) paths.push_back(&source.file);
  if (paths.empty()) return;
  std::string folder = paths[0]->substr(0, paths[0]->rfind('/') + 1);
  for (const std::string* path : paths)
    while (!folder.empty() && path->compare(0, folder.size(), folder) != 0)
      folder = folder.size() < 2 ? "" : folder.substr(0, folder.rfind('/', folder.size() - 2) + 1);
  if (folder.empty()) return;
  for (std::string* path : paths) path->erase(0, folder.size());
  report.sourceFolder = folder.size() > 1 ? folder.substr(0, folder.size() - 1) : folder;
}

}  // namespace cui::cli
