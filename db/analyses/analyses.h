// What `cuinstrument report` can find. The catalogue is analyses.def; each analysis is one file here.
//
// An analysis is either a function over the tables and views, or an AccessAnalysis that sees every single
// access. All of the second kind that are asked for share one pass over the stored accesses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/store/error.h"

namespace cui::db {

class TraceReader;
class AccessAnalysis;
struct GpuPreset;
struct TraceModel;

/// A source expression; line 0: none.
struct Place {
  std::string file, function, expression, base;
  std::uint32_t line = 0, column = 0;
  std::int64_t siteId = 0;
};

/// A histogram, or a profile over an array's extent: labels and values, for a small picture.
struct Series {
  std::string title;
  std::vector<std::pair<std::string, double>> bars;
};

/// A picture in two dimensions: the values of cells, row by row.
struct Grid {
  struct Range {
    std::uint64_t first = 0, last = 0;
  };
  std::string title;
  std::vector<Range> rows,
      columns;  ///< which rows and columns of the array a row or column of cells stands for
  std::vector<double> cells;
};

struct Finding : Place {  // where; line 0: the whole trace
  enum class Severity { info, warning, problem };
  Severity severity = Severity::info;
  std::string verdict;     ///< one line: "uncoalesced: 32.0 sectors/request, ideal 4.0"
  std::string why;         ///< what it costs, or breaks; "" if the verdict says it all
  std::string suggestion;  ///< "" if there is nothing to change
  double share = 0;        ///< of the trace's total cost, 0 to 1
  double saving = 0;       ///< how much of that cost the change would save, at most; 0: not known, or nothing
  bool wrong = false;      ///< the program's result is at stake, and not its time
  std::vector<std::pair<std::string, double>> numbers;  ///< named as in the views
  std::vector<Series> series;
  std::vector<Grid> grids;
  std::vector<Place> related;  ///< other places it takes, such as a race's other side
};

struct AnalysisResult {
  std::string name, title;
  std::vector<Finding> findings;  ///< worst first
  bool looked = true;             ///< false: the trace keeps no single accesses, and the one finding says so
};

/// False: a profile, which has totals only.
bool keepsAccesses(const TraceReader& reader);
inline constexpr const char* noAccesses =
    "a profile has totals and no single accesses; record it with CUINSTRUMENT_MODE=trace";

struct AnalysisOptions {
  std::size_t limit = 20;  ///< findings per analysis
  /// What an analysis of single accesses may remember at a time; beyond it, it says what it left out.
  std::uint64_t memoryBytes = std::uint64_t{512} << 20;
  const GpuPreset* gpu =
      nullptr;           ///< whose times are predicted; null: the traced device's, if there is a preset
  unsigned threads = 0;  ///< of a pass over all accesses; 0: what the machine has
  /// During a pass over all accesses; true cancels.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

using AnalysisFunction = Error (*)(const TraceReader& reader, const AnalysisOptions& options,
                                   std::vector<Finding>& findings);
/// May ask `reader` for what the model lacks. Null with `error`.
using AccessAnalysisFactory = std::unique_ptr<AccessAnalysis> (*)(const TraceReader& reader,
                                                                  const TraceModel& model,
                                                                  const AnalysisOptions& options,
                                                                  Error& error);
/// One of the two functions is null.
struct Analysis {
  const char* name;
  const char* title;
  bool byDefault;  ///< part of a report that names none
  AnalysisFunction run;
  AccessAnalysisFactory make;
};
/// All analyses, in the order of a report.
std::span<const Analysis> analyses();
/// Null if there is none of that name.
const Analysis* findAnalysis(std::string_view name);
/// Runs them; one result each, in the same order.
Error runAnalyses(std::span<const Analysis* const> chosen, const TraceReader& reader,
                  const AnalysisOptions& options, std::vector<AnalysisResult>& results);

const char* nameOf(Finding::Severity severity);

}  // namespace cui::db
