// The catalogue of analyses.def.
#include "db/analyses/analyses.h"

#include <algorithm>

#include "db/analyses/access_analysis.h"
#include "db/analyses/stable_sort.h"
#include "db/store/trace_reader.h"

namespace cui::db {

#define CUI_ANALYSIS(name, function, when, title) \
  Error function(const TraceReader& reader, const AnalysisOptions& options, std::vector<Finding>& findings);
#define CUI_ACCESS_ANALYSIS(name, factory, when, title)                                       \
  std::unique_ptr<AccessAnalysis> factory(const TraceReader& reader, const TraceModel& model, \
                                          const AnalysisOptions& options, Error& error);
#include "db/analyses/analyses.def"
#undef CUI_ANALYSIS
#undef CUI_ACCESS_ANALYSIS

namespace {
constexpr bool always = true, named = false;
constexpr Analysis catalogue[] = {
#define CUI_ANALYSIS(name, function, when, title) {#name, title, when, function, nullptr},
#define CUI_ACCESS_ANALYSIS(name, factory, when, title) {#name, title, when, nullptr, factory},
#include "db/analyses/analyses.def"
#undef CUI_ANALYSIS
#undef CUI_ACCESS_ANALYSIS
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

bool keepsAccesses(const TraceReader& reader) {
  return reader.meta("mode") != "profile";
}

Error runAnalyses(std::span<const Analysis* const> chosen, const TraceReader& reader,
                  const AnalysisOptions& options, std::vector<AnalysisResult>& results) {
  results.clear();
  TraceModel model;
  std::vector<std::pair<std::size_t, std::unique_ptr<AccessAnalysis>>> passes;
  for (const Analysis* analysis : chosen) {
    AnalysisResult& result = results.emplace_back();
    result.name = analysis->name;
    result.title = analysis->title;
    Error error;
    if (analysis->run) {
      error = analysis->run(reader, options, result.findings);
    } else if (!keepsAccesses(reader)) {
      result.looked = false;
      Finding note;
      note.verdict = std::string("not looked for: ") + noAccesses;
      result.findings.push_back(std::move(note));
    } else {
      if (passes.empty()) error = TraceModel::load(reader, model);
      if (!error) passes.emplace_back(results.size() - 1, analysis->make(reader, model, options, error));
    }
    if (error) return error;
  }
  if (passes.empty()) return {};
  std::vector<AccessVisitor*> visitors;
  visitors.reserve(passes.size());
  for (const auto& [index, pass] : passes) visitors.push_back(pass.get());
  ScanOptions scan;
  scan.progress = options.progress;
  scan.threads = options.threads;
  std::uint64_t scanned = 0;
  if (Error error = scanAccesses(reader, model, scan, visitors, scanned)) return error;
  for (const auto& [index, pass] : passes) {
    std::vector<Finding>& findings = results[index].findings;
    pass->finish(findings);
    stableSort(findings, [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    if (findings.size() > options.limit) findings.resize(options.limit);
  }
  return {};
}

const char* nameOf(Finding::Severity severity) {
  return severity == Finding::Severity::info      ? "info"
         : severity == Finding::Severity::warning ? "warning"
                                                  : "problem";
}

}  // namespace cui::db
