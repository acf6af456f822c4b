// The lines of source that a report is about, with what the accesses of each cost.
#include <algorithm>
#include <map>
#include <string_view>

#include "cli/trace/open.h"
#include "cli/trace/report.h"
#include "cli/trace/source_text.h"

namespace cui::cli {
namespace {

/// Lines around one that has accesses.
constexpr std::size_t context = 3;

using Lines = std::map<std::int64_t, LineCost>;

std::map<std::string, Lines> costsByFile(const db::TraceReader& trace) {
  std::map<std::string, Lines> files;
  throwIf(trace.query(
      "SELECT file, line, share, requests, sectors, ideal_sectors, bank_conflicts FROM hot_line",
      [&](db::Row row) {
        files[db::asText(row[0])][db::asInteger(row[1])] = {db::asReal(row[2]), db::asInteger(row[3]),
                                                            db::asInteger(row[4]), db::asInteger(row[5]),
                                                            db::asInteger(row[6])};
        return true;
      }));
  return files;
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    begin = end + 1;
  }
  return lines;
}

ReportedSource sourceOf(const SourceFile& file, const Lines& costs) {
  ReportedSource source;
  source.file = file.path;
  std::string text;
  source.readable = readSource(file, text) == SourceState::same;
  if (!source.readable) return source;
  const std::vector<std::string_view> lines = linesOf(text);
  std::vector<bool> wanted(lines.size());
  for (const auto& [number, cost] : costs) {
    const auto index = static_cast<std::size_t>(number - 1);
    if (number < 1 || index >= lines.size()) continue;
    const std::size_t last = std::min(index + context, lines.size() - 1);
    for (std::size_t i = index - std::min(index, context); i <= last; ++i) wanted[i] = true;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool gapOfOne = i > 0 && i + 1 < lines.size() && wanted[i - 1] && wanted[i + 1];
    if (!wanted[i] && !gapOfOne) continue;
    const auto number = static_cast<std::int64_t>(i + 1);
    const auto cost = costs.find(number);
    source.lines.push_back({number, std::string(lines[i]), cost == costs.end() ? LineCost() : cost->second});
  }
  return source;
}

}  // namespace

void addSources(const db::TraceReader& trace, Report& report) {
  const std::map<std::string, Lines> costs = costsByFile(trace);
  for (const SourceFile& file : sourceFiles(trace)) {
    const auto found = costs.find(file.path);
    if (found != costs.end()) report.sources.push_back(sourceOf(file, found->second));
  }
}

std::string_view sourceLine(const Report& report, const db::Place& place) {
  for (const ReportedSource& source : report.sources) {
    if (source.file != place.file) continue;
    const auto line = std::lower_bound(
        source.lines.begin(), source.lines.end(), std::int64_t{place.line},
        [](const SourceLine& before, std::int64_t number) { return before.number < number; });
    if (line != source.lines.end() && line->number == place.line) return line->text;
  }
  return {};
}

}  // namespace cui::cli
