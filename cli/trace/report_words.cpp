// What the forms of a report for people say alike.

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/base/format_text.h"
#include "cli/trace/report.h"

namespace cui::cli {

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t first = text[0] == '-' ? 1 : 0;
  for (std::size_t i = text.size(); i > first + 3; i -= 3) text.insert(i - 3, 1, ',');
  return text;
}

double ratio(std::uint64_t numerator, std::uint64_t denominator) {
  return denominator == 0 ? 0 : static_cast<double>(numerator) / static_cast<double>(denominator);
}

std::string arrow(double before, double after) {
  return before == after ? formatText("{:.1f}", before) : formatText("{:.1f} -> {:.1f}", before, after);
}

std::string arrow(std::uint64_t before, std::uint64_t after) {
  const std::string text = grouped(static_cast<std::int64_t>(before));
  return before == after ? text : text + " -> " + grouped(static_cast<std::int64_t>(after));
}

std::string counted(std::int64_t number, std::string_view singular, std::string_view plural) {
  return formatText("{} {}", grouped(number), number == 1 ? singular : plural);
}

std::string pictureOf(const db::Series& series) {
  static constexpr std::array levels = {"\u2581", "\u2582", "\u2583", "\u2584",
                                        "\u2585", "\u2586", "\u2587", "\u2588"};
  double most = 0;
  for (const auto& [label, value] : series.bars) most = std::max(most, value);
  std::string picture;
  for (const auto& [label, value] : series.bars) {
    const auto level = static_cast<std::size_t>(std::ceil(value / std::max(most, 1e-300) * levels.size()));
    picture += level == 0 ? "\u00b7" : levels[level - 1];
  }
  if (series.bars.empty()) return series.title;
  return formatText("{}: {} {} {}", series.title, series.bars.front().first, picture,
                    series.bars.back().first);
}

std::string rangeText(std::string_view what, const db::Grid::Range& range) {
  return range.first == range.last ? formatText("{} {}", what, range.first)
                                   : formatText("{}s {} to {}", what, range.first, range.last);
}

std::vector<std::string> pictureOf(const db::Grid& grid) {
  static constexpr std::array levels = {"\u2591", "\u2592", "\u2593", "\u2588"};
  static constexpr std::size_t mostLines = 16;
  const std::size_t columns = grid.columns.size(), rows = grid.rows.size();
  if (columns == 0 || rows == 0) return {grid.title};
  const std::size_t rowsPerLine = (rows + mostLines - 1) / mostLines;
  // Means and not sums: the last line may stand for fewer rows.
  std::vector<std::vector<double>> lines;
  double most = 1e-300;
  for (std::size_t first = 0; first < rows; first += rowsPerLine) {
    const std::size_t last = std::min(first + rowsPerLine, rows);
    std::vector<double>& line = lines.emplace_back(columns);
    for (std::size_t i = first * columns; i < last * columns; ++i)
      line[i % columns] += grid.cells[i] / static_cast<double>(last - first);
    most = std::max(most, *std::max_element(line.begin(), line.end()));
  }
  std::vector<std::string> picture = {formatText(
      "{}; {}", grid.title, rangeText("column", {grid.columns.front().first, grid.columns.back().last}))};
  const std::size_t width = rangeText("row", {grid.rows.back().last, grid.rows.back().last + 1}).size();
  for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end) {
    while (end < lines.size() && lines[end] == lines[begin]) ++end;  // alike: one line for all
    const std::size_t lastRow = std::min(end * rowsPerLine, rows) - 1;
    std::string text = formatText(
        "{:<{}} ", rangeText("row", {grid.rows[begin * rowsPerLine].first, grid.rows[lastRow].last}), width);
    for (const double value : lines[begin]) {
      const auto level = static_cast<std::size_t>(std::ceil(value / most * levels.size()));
      text += level == 0 ? "\u00b7" : levels[level - 1];
    }
    picture.push_back(std::move(text));
  }
  return picture;
}

std::string shareText(double share) {
  return share < 0.001 ? "<0.1 %" : formatText("{:.1f} %", 100 * share);
}

std::string shareOf(const ReportedFinding& finding) {
  return finding.share <= 0 ? "" : shareText(finding.share);
}

std::string savingOf(const ReportedFinding& finding) {
  return finding.wrong ? "wrong" : shareText(finding.saving);
}

std::string placeOf(const ReportedFinding& finding) {
  return finding.line == 0 ? finding.file : formatText("{}:{}", finding.file, finding.line);
}

std::string headline(const Report& report) {
  std::string line = formatText("{} on {}", report.program,
                                report.device.empty() ? report.backend + " backend" : report.device);
  if (!report.sourceFolder.empty()) line += formatText(", sources in {}", report.sourceFolder);
  return line;
}

bool tellsOfLosses(const Report& report) {
  return std::any_of(report.sections.begin(), report.sections.end(),
                     [](const ReportSection& section) { return section.name == "summary"; });
}

std::string completeness(const Report& report) {
  return formatText("{}: {} kept, {}; {}.", report.trace, counted(report.recordsKept, "record", "records"),
                    report.stats.empty()    ? "none dropped"
                    : tellsOfLosses(report) ? "but not all there were (see above)"
                                            : "but not all there were (see below)",
                    report.complete ? "the trace is complete"
                                    : "the program did not close it: it is running or was killed");
}

bool isAboutSites(const ReportSection& section) {
  return std::any_of(section.findings.begin(), section.findings.end(),
                     [](const ReportedFinding& finding) { return finding.line != 0; });
}

}  // namespace cui::cli
