// The sources at the end of an HTML report: what each line's accesses cost, the dearest the hottest.

#include <algorithm>

#include "cli/base/format_text.h"
#include "cli/base/markup.h"
#include "cli/trace/report.h"

namespace cui::cli {
namespace {

std::string number(std::int64_t value) {
  return value == 0 ? "" : grouped(value);
}

void writeLine(std::string& page, std::size_t file, const SourceLine& line, double most) {
  const LineCost& cost = line.cost;
  const std::string heat = cost.share > 0 ? formatText(" style=\"background:hsl(10 90% 50% / {:.2f})\"",
                                                       std::max(0.04, 0.6 * cost.share / most))
                                          : "";
  page += formatText(
      "<tr id=\"s{}-{}\"{}><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
      "<td><code>{}</code></td></tr>\n",
      file, line.number, heat, line.number, cost.requests == 0 ? "" : shareText(cost.share),
      number(cost.requests), number(cost.sectors), number(cost.idealSectors), number(cost.bankConflicts),
      escapedForMarkup(line.text));
}

}  // namespace

void writeHtmlSources(std::string& page, const Report& report) {
  double most = 0;
  for (const ReportedSource& source : report.sources)
    for (const SourceLine& line : source.lines) most = std::max(most, line.cost.share);
  if (report.sources.empty()) return;
  page += "<h2 id=\"sources\">Sources</h2>\n";
  for (std::size_t file = 0; file < report.sources.size(); ++file) {
    const ReportedSource& source = report.sources[file];
    page += "<h3>" + escapedForMarkup(source.file) + "</h3>\n";
    if (!source.readable) {
      page += "<p>Not on this machine, or not the text that the program was built from.</p>\n";
      continue;
    }
    page +=
        "<table class=\"source\">\n<tr><th>line</th><th>share</th><th>requests</th><th>sectors</th>"
        "<th>ideal</th><th>bank conflicts</th><th></th></tr>\n";
    std::int64_t before = 0;
    for (const SourceLine& line : source.lines) {
      if (before != 0 && line.number != before + 1)
        page += "<tr><td>\u22ee</td><td colspan=\"6\"></td></tr>\n";
      before = line.number;
      writeLine(page, file, line, most);
    }
    page += "</table>\n";
  }
}

std::string htmlPlace(const Report& report, const ReportedFinding& finding) {
  std::string text = escapedForMarkup(placeOf(finding));
  if (finding.line == 0 || sourceLine(report, finding).empty()) return text;
  std::size_t file = 0;
  while (report.sources[file].file != finding.file) ++file;
  return formatText("<a href=\"#s{}-{}\">{}</a>", file, finding.line, text);
}

}  // namespace cui::cli
