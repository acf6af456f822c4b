// What `cuinstrument report` can find. The catalogue is analyses.def; each analysis is one file here.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "db/store/error.h"

namespace cui::db {

class TraceReader;

struct Finding {
  enum class Severity { info, warning, problem };
  Severity severity = Severity::info;
  std::string verdict;     ///< one line: "uncoalesced: 32.0 sectors/request, ideal 4.0"
  std::string suggestion;  ///< "" if there is nothing to change
  // Where; line 0: the whole trace.
  std::string file, function, expression, base;
  std::uint32_t line = 0, column = 0;
  std::int64_t siteId = 0;
  double share = 0;                                     ///< of the trace's total cost, 0 to 1
  std::vector<std::pair<std::string, double>> numbers;  ///< named as in the views
};

struct AnalysisResult {
  std::string name, title;
  std::vector<Finding> findings;  ///< worst first
};

struct AnalysisOptions {
  std::size_t limit = 20;  ///< findings per analysis
};

using AnalysisFunction = Error (*)(const TraceReader& reader, const AnalysisOptions& options,
                                   std::vector<Finding>& findings);
struct Analysis {
  const char* name;
  const char* title;
  AnalysisFunction run;
};
/// All analyses, in the order of a report.
std::span<const Analysis> analyses();
/// Null if there is none of that name.
const Analysis* findAnalysis(std::string_view name);
/// Runs one analysis.
Error runAnalysis(const Analysis& analysis, const TraceReader& reader, const AnalysisOptions& options,
                  AnalysisResult& result);

const char* nameOf(Finding::Severity severity);

}  // namespace cui::db
