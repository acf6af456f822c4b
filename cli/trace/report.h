// What a report says, gathered from the trace once and rendered as text, Markdown, JSON, HTML or SARIF.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "db/analyses/analyses.h"
#include "db/store/trace_reader.h"

namespace cui::cli {

struct SkippedSite {
  std::string file;
  std::int64_t line = 0;
  std::string function, expression, reason;
};

/// Something the reader of a trace must know: a row of trace_stat above severity info.
struct TraceStat {
  std::string name, severity, detail;
  std::int64_t value = 0;
  std::int64_t launchId = 0;  ///< 0: the whole trace
};

struct ReportedFinding : db::Finding {
  std::string kind;  ///< of the site: load, store, …; "" without one
};

struct ReportSection {
  std::string name, title;
  std::vector<ReportedFinding> findings;
};

/// A finding, by its place among the sections.
struct Priority {
  std::size_t section = 0, finding = 0;
  std::size_t times = 1;  ///< with all that say the same of that place, such as of each of its allocations
};

/// What the accesses of one line cost, as in hot_line.
struct LineCost {
  double share = 0;
  std::int64_t requests = 0, sectors = 0, idealSectors = 0, bankConflicts = 0;
};
struct SourceLine {
  std::int64_t number = 0;
  std::string text;
  LineCost cost;
};
struct ReportedSource {
  std::string file;
  bool readable = false;          ///< it is here, and is what the program was built from
  std::vector<SourceLine> lines;  ///< those with accesses, and some around them
};

struct Report {
  std::string trace, program, backend, device;
  std::string sourceFolder;  ///< of all sources, if they share one; files are named relative to it
  bool complete = false;
  int schemaVersion = 0;
  std::int64_t launches = 0;
  std::int64_t recordsKept = 0;  ///< warp accesses stored one by one
  std::int64_t requests = 0;     ///< warp accesses counted in site_metric
  std::int64_t threadAccesses = 0;
  std::int64_t instrumentedSites = 0, skippedSites = 0;
  std::vector<ReportSection> sections;
  /// What to change first: what is wrong, then what saves most. Empty where one analysis was asked for.
  std::vector<Priority> priorities;
  std::vector<TraceStat> stats;
  std::vector<SkippedSite> skipped;  ///< the first skippedLimit
  std::vector<ReportedSource> sources;
};
constexpr std::size_t skippedLimit = 10, prioritiesLimit = 10;

/// Throws Error if an analysis fails.
Report makeReport(const db::TraceReader& trace, const std::vector<const db::Analysis*>& analyses,
                  const db::AnalysisOptions& options);

void addSources(const db::TraceReader& trace, Report& report);
/// Of the place's line, "" if it is not among the report's sources.
std::string_view sourceLine(const Report& report, const db::Place& place);

/// Takes the folder that all absolute paths share off them, into sourceFolder.
void shortenPaths(Report& report);
inline const ReportedFinding& findingOf(const Report& report, const Priority& priority) {
  return report.sections[priority.section].findings[priority.finding];
}

/// With how often, if that is more than once.
std::string verdictOf(const Report& report, const Priority& priority);

std::string reportAsText(const Report& report, std::size_t width, bool color);
std::string reportAsMarkdown(const Report& report);
std::string reportAsJson(const Report& report);
std::string reportAsHtml(const Report& report);
/// Of HTML: the listings, and a finding's place as a link into them.
void writeHtmlSources(std::string& page, const Report& report);
std::string htmlPlace(const Report& report, const ReportedFinding& finding);
/// As for sarifLog().
std::string reportAsSarif(const Report& report, const std::map<std::string, std::string>& absolute,
                          const std::string& root);

// What all forms for people say alike.
/// 12,288
std::string grouped(std::int64_t number);
/// 0 where there is nothing to divide by.
double ratio(std::uint64_t numerator, std::uint64_t denominator);
/// "4.0 -> 1.0", or the number alone where it has not changed.
std::string arrow(double before, double after);
std::string arrow(std::uint64_t before, std::uint64_t after);
/// 3 launches, 1 launch
std::string counted(std::int64_t number, std::string_view singular, std::string_view plural);
/// The summary tells of losses itself.
bool tellsOfLosses(const Report& report);
/// ▁▂▅█ with its labels at both ends; a bar that is not zero shows.
std::string pictureOf(const db::Series& series);
/// Lines of ·░▒▓█, at most 16, with what they are before them.
std::vector<std::string> pictureOf(const db::Grid& grid);
/// "rows 0 to 3"
std::string rangeText(std::string_view what, const db::Grid::Range& range);
/// "16.7 %", "<0.1 %"
std::string shareText(double share);
std::string shareOf(const ReportedFinding& finding);
/// "16.7 %", or that it is wrong.
std::string savingOf(const ReportedFinding& finding);
inline constexpr std::string_view prioritiesTitle = "What to change first";
std::string placeOf(const ReportedFinding& finding);
std::string headline(const Report& report);
std::string completeness(const Report& report);
/// Some of its findings are about source expressions.
bool isAboutSites(const ReportSection& section);

}  // namespace cui::cli
