// The catalogue of analyses.def.
#include "db/analyses/analyses.h"

#include <algorithm>

namespace cui::db {

#define CUI_ANALYSIS(name, function, title) \
  Error function(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings);
#include "db/analyses/analyses.def"
#undef CUI_ANALYSIS

namespace {
constexpr Analysis catalogue[] = {
#define CUI_ANALYSIS(name, function, title) {#name, title, function},
#include "db/analyses/analyses.def"
#undef CUI_ANALYSIS
};
}  // namespace

std::span<const Analysis> analyses() {
  return catalogue;
}

const Analysis* findAnalysis(std::string_view name) {
  const auto* const found = std::find_if(std::begin(catalogue), std::end(catalogue),
                                         [name](const Analysis& analysis) { return name == analysis.name; });
  return found == std::end(catalogue) ? nullptr : found;
}

Error runAnalysis(const Analysis& analysis, const TraceReader& reader, const AnalysisOptions& options,
                  AnalysisResult& result) {
  result = {analysis.name, analysis.title, {}};
  return analysis.run(reader, options, result.findings);
}

const char* nameOf(Finding::Severity severity) {
  return severity == Finding::Severity::info      ? "info"
         : severity == Finding::Severity::warning ? "warning"
                                                  : "problem";
}

}  // namespace cui::db
