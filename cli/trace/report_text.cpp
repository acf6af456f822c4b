// A report for people: text on a terminal or in a file, and Markdown.

#include <algorithm>
#include <sstream>

#include "cli/base/format_text.h"
#include "cli/base/terminal.h"
#include "cli/trace/report.h"
#include "cli/trace/table.h"

namespace cui::cli {
namespace {

using Severity = db::Finding::Severity;
using Fit = Column::Fit;
using Align = Column::Align;

constexpr std::string_view bold = "1";
constexpr std::string_view dim = "2";
constexpr std::string_view red = "31";
constexpr std::string_view yellow = "33";

constexpr std::size_t narrowWidth = 110;

std::string colorOf(Severity severity) {
  return std::string(severity == Severity::problem ? red : severity == Severity::warning ? yellow : dim);
}

std::string painted(std::string_view text, std::string_view color, bool enabled) {
  return enabled && !color.empty() ? formatText("\033[{}m{}\033[0m", color, text) : std::string(text);
}

std::string withRelated(const ReportedFinding& finding) {
  std::string text = finding.verdict;
  for (const db::Series& series : finding.series) text += "; " + pictureOf(series);
  for (const db::Place& place : finding.related)
    text += formatText("; and {}:{} {}", place.file, place.line, place.expression);
  return text;
}

std::string statLine(const TraceStat& stat) {
  std::string line = formatText("{}: {} {}", stat.severity, stat.name, grouped(stat.value));
  if (stat.launchId != 0) line += formatText(" in launch {}", stat.launchId);
  return stat.detail.empty() ? line : line + ": " + stat.detail;
}

void printSection(std::ostream& out, const ReportSection& section, std::size_t width, bool color) {
  out << '\n' << painted(section.title, bold, color) << '\n';
  if (section.findings.empty()) {
    out << "  nothing to report\n";
    return;
  }
  if (!isAboutSites(section)) {
    Table lines({{"", Align::left, Fit::wrap}});
    for (const ReportedFinding& finding : section.findings) {
      lines.add({{finding.verdict, finding.severity == Severity::info ? "" : colorOf(finding.severity)}});
      if (!finding.suggestion.empty()) lines.add({{finding.suggestion, std::string(dim)}});
    }
    lines.print(out, width, 2, color);
    return;
  }
  std::vector<Column> columns = {{"share", Align::right, Fit::fixed},
                                 {"where", Align::left, Fit::shrink},
                                 {"expression", Align::left, Fit::shrink},
                                 {"kind", Align::left, Fit::fixed}};
  // On a narrow terminal the finding stands below its expression.
  const bool narrow = width < narrowWidth;
  if (!narrow) columns.push_back({"finding", Align::left, Fit::wrap});
  Table table(columns);
  for (const ReportedFinding& finding : section.findings) {
    const bool notable = finding.severity != Severity::info;
    std::vector<Cell> cells = {{shareOf(finding), ""},
                               {placeOf(finding), ""},
                               {finding.expression, std::string(notable ? bold : "")},
                               {finding.kind, ""}};
    std::vector<Cell> notes;
    (narrow ? notes : cells).push_back({finding.verdict, colorOf(finding.severity)});
    for (const db::Place& place : finding.related)
      notes.push_back({formatText("and {}:{} {}", place.file, place.line, place.expression), ""});
    for (const db::Series& series : finding.series) notes.push_back({pictureOf(series), ""});
    for (const db::Grid& grid : finding.grids)
      for (std::string& line : pictureOf(grid)) notes.push_back({std::move(line), ""});
    if (!finding.why.empty()) notes.push_back({finding.why, std::string(dim)});
    if (!finding.suggestion.empty()) notes.push_back({finding.suggestion, std::string(dim)});
    table.add(std::move(cells), std::move(notes));
  }
  table.print(out, width, 2, color);
}

void printPriorities(std::ostream& out, const Report& report, std::size_t width, bool color) {
  if (report.priorities.empty()) return;
  out << '\n' << painted(prioritiesTitle, bold, color) << '\n';
  Table table({{"saves", Align::right, Fit::fixed},
               {"where", Align::left, Fit::shrink},
               {"expression", Align::left, Fit::shrink},
               {"finding", Align::left, Fit::wrap}});
  for (const Priority& priority : report.priorities) {
    const ReportedFinding& finding = findingOf(report, priority);
    table.add({{savingOf(finding), ""},
               {placeOf(finding), ""},
               {finding.expression, std::string(bold)},
               {verdictOf(report, priority), colorOf(finding.severity)}});
  }
  table.print(out, width, 2, color);
}

void printFooter(std::ostream& out, const Report& report, std::size_t width, bool color) {
  out << '\n' << completeness(report) << '\n';
  if (!tellsOfLosses(report))
    for (const TraceStat& stat : report.stats) out << "  " << painted(statLine(stat), red, color) << '\n';
  out << formatText("{} instrumented, {} skipped", counted(report.instrumentedSites, "site", "sites"),
                    grouped(report.skippedSites))
      << (report.skipped.empty() ? ".\n" : ":\n");
  Table table({{"", Align::left, Fit::shrink}, {"", Align::left, Fit::shrink}, {"", Align::left, Fit::wrap}});
  for (const SkippedSite& site : report.skipped)
    table.add({{formatText("{}:{}", site.file, site.line), ""},
               {site.expression, ""},
               {site.reason, std::string(dim)}});
  table.print(out, width, 2, color);
  const std::int64_t unlisted = report.skippedSites - static_cast<std::int64_t>(report.skipped.size());
  if (unlisted > 0)
    out << formatText("  and {} more: SELECT * FROM site WHERE status = 'skipped'\n", grouped(unlisted));
}

/// Pictures of several lines have no place in a table of Markdown.
void printGrids(std::ostream& out, const ReportSection& section) {
  for (const ReportedFinding& finding : section.findings)
    for (const db::Grid& grid : finding.grids) {
      out << "\n`" << finding.expression << "`, " << placeOf(finding) << ":\n\n```\n";
      for (const std::string& line : pictureOf(grid)) out << line << '\n';
      out << "```\n";
    }
}

}  // namespace

std::string reportAsText(const Report& report, std::size_t width, bool color) {
  std::ostringstream out;
  out << painted(headline(report), bold, color) << '\n';
  printPriorities(out, report, width, color);
  for (const ReportSection& section : report.sections) printSection(out, section, width, color);
  printFooter(out, report, width, color);
  return out.str();
}

std::string reportAsMarkdown(const Report& report) {
  std::ostringstream out;
  out << "# " << report.program << "\n\n" << headline(report) << ".\n";
  if (!report.priorities.empty()) {
    out << "\n## " << prioritiesTitle << "\n\n";
    Table table({{"saves", Align::right}, {"where"}, {"expression"}, {"finding"}});
    for (const Priority& priority : report.priorities) {
      const ReportedFinding& finding = findingOf(report, priority);
      table.add({{savingOf(finding), ""},
                 {placeOf(finding), ""},
                 {finding.expression, ""},
                 {verdictOf(report, priority), ""}});
    }
    table.printMarkdown(out);
  }
  for (const ReportSection& section : report.sections) {
    out << "\n## " << section.title << "\n\n";
    if (section.findings.empty()) out << "Nothing to report.\n";
    if (!isAboutSites(section)) {
      for (const ReportedFinding& finding : section.findings)
        out << "- " << finding.verdict << (finding.suggestion.empty() ? "" : " (" + finding.suggestion + ")")
            << '\n';
      continue;
    }
    Table table(
        {{"share", Align::right}, {"where"}, {"expression"}, {"kind"}, {"finding"}, {"why"}, {"what to do"}});
    for (const ReportedFinding& finding : section.findings)
      table.add({{shareOf(finding), ""},
                 {placeOf(finding), ""},
                 {finding.expression, ""},
                 {finding.kind, ""},
                 {withRelated(finding), ""},
                 {finding.why, ""},
                 {finding.suggestion, ""}});
    table.printMarkdown(out);
    printGrids(out, section);
  }
  out << '\n' << completeness(report) << '\n';
  if (!tellsOfLosses(report))
    for (const TraceStat& stat : report.stats) out << "\n- " << statLine(stat);
  out << formatText("\n{} instrumented, {} skipped.\n", counted(report.instrumentedSites, "site", "sites"),
                    grouped(report.skippedSites));
  if (!report.skipped.empty()) {
    out << '\n';
    Table table({{"skipped at"}, {"expression"}, {"reason"}});
    for (const SkippedSite& site : report.skipped)
      table.add({{formatText("{}:{}", site.file, site.line), ""}, {site.expression, ""}, {site.reason, ""}});
    table.printMarkdown(out);
  }
  return out.str();
}

}  // namespace cui::cli
