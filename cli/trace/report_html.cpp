// A report as one HTML page that needs nothing beside it.

#include <algorithm>

#include "cli/base/format_text.h"
#include "cli/base/markup.h"
#include "cli/trace/report.h"

namespace cui::cli {
namespace {

constexpr std::string_view style = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1b1b1b; }
h1 { font-size: 1.4em; } h2 { font-size: 1.1em; margin-top: 2em; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4em .7em; border-bottom: 1px solid #ddd; }
td.share { text-align: right; white-space: nowrap; } td.where { white-space: nowrap; }
code { font: 13px ui-monospace, monospace; }
.problem { color: #b00020; } .warning { color: #8a5a00; } .note { color: #555; font-size: .92em; }
details { margin-top: .3em; } dl { display: grid; grid-template-columns: max-content auto; gap: 0 1em; margin: .3em 0; }
dd { margin: 0; } figure { margin: .4em 0; } figcaption { color: #777; font-size: .85em; }
.bars { display: flex; align-items: flex-end; height: 4em; border-bottom: 1px solid #888; }
.bars i { flex: 1; min-width: 2px; max-width: 1.5em; }
.grid { display: grid; max-width: 40em; background: #8883; } .grid i { height: .55em; }
.source td { padding: 0 .7em; border: 0; text-align: right; } .source td:last-child { text-align: left; white-space: pre; }
a { color: inherit; } tr:target { outline: 2px solid; }
@media (prefers-color-scheme: dark) {
  body { background: #16181c; color: #e4e4e4; } th, td { border-color: #3a3d42; }
  .problem { color: #ff8a8a; } .warning { color: #f0c060; } .note { color: #aaa; }
}
)";

std::string code(std::string_view text) {
  return text.empty() ? std::string() : "<code>" + escapedForMarkup(text) + "</code>";
}

/// Bars side by side; how high, and how hot, says the value. A pointer over a bar shows the number.
void writeSeries(std::string& page, const db::Series& series) {
  double most = 0;
  for (const auto& [label, value] : series.bars) most = std::max(most, value);
  page += "<figure><div class=\"bars\">";
  for (const auto& [label, value] : series.bars) {
    const double share = most > 0 ? value / most : 0;
    page += formatText(
        "<i style=\"height:{:.0f}%;background:hsl({:.0f} 80% 50%)\" title=\"{}: {:.10g}\"></i>",
        value > 0 ? std::max(2.0, 100 * share) : 0.0, 220 - 220 * share, escapedForMarkup(label), value);
  }
  page += "</div>";
  if (!series.bars.empty())
    page +=
        formatText("<figcaption>{}: {} to {}</figcaption>", escapedForMarkup(series.title),
                   escapedForMarkup(series.bars.front().first), escapedForMarkup(series.bars.back().first));
  page += "</figure>\n";
}

/// Cells of one row that have one value are one element: most maps are large and plain.
void writeGrid(std::string& page, const db::Grid& grid) {
  const std::size_t columns = grid.columns.size();
  if (columns == 0 || grid.rows.empty()) return;
  const double most = *std::max_element(grid.cells.begin(), grid.cells.end());
  page += formatText("<figure><div class=\"grid\" style=\"grid-template-columns:repeat({},1fr)\">", columns);
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    const double* const cells = grid.cells.data() + row * columns;
    for (std::size_t begin = 0, end = 0; begin < columns; begin = end) {
      while (end < columns && cells[end] == cells[begin]) ++end;
      const double share = most > 0 ? cells[begin] / most : 0;
      page += formatText("<i style=\"grid-column:span {}", end - begin);
      if (cells[begin] > 0) page += formatText(";background:hsl({:.0f} 80% 50%)", 220 - 220 * share);
      page += formatText("\" title=\"{}, {}: {:.10g}{}\"></i>", rangeText("row", grid.rows[row]),
                         rangeText("column", {grid.columns[begin].first, grid.columns[end - 1].last}),
                         cells[begin], end - begin > 1 ? " in each cell" : "");
    }
  }
  page += formatText("</div><figcaption>{}; {}, {}</figcaption></figure>\n", escapedForMarkup(grid.title),
                     rangeText("row", {grid.rows.front().first, grid.rows.back().last}),
                     rangeText("column", {grid.columns.front().first, grid.columns.back().last}));
}

void writeFinding(std::string& page, const ReportedFinding& finding) {
  page += formatText("<div class=\"{}\">{}</div>\n", db::nameOf(finding.severity),
                     escapedForMarkup(finding.verdict));
  for (const db::Place& place : finding.related)
    page += formatText("<div>and {}:{} {}</div>\n", escapedForMarkup(place.file), place.line,
                       code(place.expression));
  if (!finding.why.empty()) page += "<div class=\"note\">" + escapedForMarkup(finding.why) + "</div>\n";
  if (!finding.suggestion.empty()) page += "<div>" + escapedForMarkup(finding.suggestion) + "</div>\n";
  for (const db::Grid& grid : finding.grids) writeGrid(page, grid);
  for (const db::Series& series : finding.series) writeSeries(page, series);
  if (finding.numbers.empty()) return;
  page += "<details><summary>numbers</summary><dl>";
  for (const auto& [name, value] : finding.numbers)
    page += formatText("<dt>{}</dt><dd>{:.10g}</dd>", escapedForMarkup(name), value);
  page += "</dl></details>\n";
}

void writeSection(std::string& page, const Report& report, const ReportSection& section) {
  page +=
      formatText("<h2 id=\"{}\">{}</h2>\n", escapedForMarkup(section.name), escapedForMarkup(section.title));
  if (section.findings.empty()) {
    page += "<p>Nothing to report.</p>\n";
    return;
  }
  if (!isAboutSites(section)) {
    page += "<ul>\n";
    for (const ReportedFinding& finding : section.findings) {
      page += "<li>";
      writeFinding(page, finding);
      page += "</li>\n";
    }
    page += "</ul>\n";
    return;
  }
  page += "<table>\n<tr><th>share</th><th>where</th><th>expression</th><th>kind</th><th>finding</th></tr>\n";
  for (const ReportedFinding& finding : section.findings) {
    page += formatText("<tr><td class=\"share\">{}</td><td class=\"where\">{}</td><td>{}</td><td>{}</td><td>",
                       escapedForMarkup(shareOf(finding)), htmlPlace(report, finding),
                       code(finding.expression), escapedForMarkup(finding.kind));
    writeFinding(page, finding);
    page += "</td></tr>\n";
  }
  page += "</table>\n";
}

void writePriorities(std::string& page, const Report& report) {
  if (report.priorities.empty()) return;
  page += formatText(
      "<h2 id=\"priorities\">{}</h2>\n<table>\n<tr><th>saves</th><th>where</th><th>expression</th>"
      "<th>finding</th></tr>\n",
      prioritiesTitle);
  for (const Priority& priority : report.priorities) {
    const ReportedFinding& finding = findingOf(report, priority);
    page += formatText(
        "<tr><td class=\"share\">{}</td><td class=\"where\">{}</td><td>{}</td><td><a href=\"#{}\" "
        "class=\"{}\">{}</a></td></tr>\n",
        savingOf(finding), htmlPlace(report, finding), code(finding.expression),
        escapedForMarkup(report.sections[priority.section].name), db::nameOf(finding.severity),
        escapedForMarkup(verdictOf(report, priority)));
  }
  page += "</table>\n";
}

}  // namespace

std::string reportAsHtml(const Report& report) {
  std::string page = formatText(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta "
      "charset=\"utf-8\"><title>{}</title>\n<style>{}</style></head>\n"
      "<body>\n<h1>{}</h1>\n<p>{}</p>\n",
      escapedForMarkup(report.program), style, escapedForMarkup(report.program),
      escapedForMarkup(headline(report)));
  writePriorities(page, report);
  for (const ReportSection& section : report.sections) writeSection(page, report, section);
  writeHtmlSources(page, report);
  page += "<h2>Completeness</h2>\n<p>" + escapedForMarkup(completeness(report)) + "</p>\n";
  page += formatText("<p>{} instrumented, {} skipped.</p>\n",
                     counted(report.instrumentedSites, "site", "sites"), grouped(report.skippedSites));
  if (!report.skipped.empty()) {
    page += "<table>\n<tr><th>skipped at</th><th>expression</th><th>reason</th></tr>\n";
    for (const SkippedSite& site : report.skipped)
      page += formatText("<tr><td>{}:{}</td><td>{}</td><td>{}</td></tr>\n", escapedForMarkup(site.file),
                         site.line, code(site.expression), escapedForMarkup(site.reason));
    page += "</table>\n";
  }
  return page + "</body>\n</html>\n";
}

}  // namespace cui::cli
