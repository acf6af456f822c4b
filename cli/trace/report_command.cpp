// `cuinstrument report`: from names to a report on standard output.
#include "cli/trace/report_command.h"

#include <optional>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/base/sarif.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"
#include "cli/trace/gpus.h"
#include "cli/trace/open.h"
#include "cli/trace/report.h"

namespace cui::cli {
namespace {

std::vector<const db::Analysis*> chosenAnalyses(const std::vector<std::string>& names, bool all) {
  std::vector<const db::Analysis*> chosen;
  for (const std::string& name : names) {
    const db::Analysis* analysis = db::findAnalysis(name);
    if (!analysis) {
      std::string known;
      for (const db::Analysis& each : db::analyses()) {
        if (!known.empty()) known += ", ";
        known += each.name;
      }
      throw Error(ExitCode::usage, formatText("no analysis '{}'; there are: {}", name, known));
    }
    chosen.push_back(analysis);
  }
  if (names.empty())
    for (const db::Analysis& analysis : db::analyses())
      if (all || analysis.byDefault) chosen.push_back(&analysis);
  return chosen;
}

}  // namespace

int runReport(const ReportRequest& request) {
  const SignalGuard guard;
  const std::vector<const db::Analysis*> analyses = chosenAnalyses(request.analyses, request.all);
  const std::unique_ptr<db::TraceReader> trace = openTraceAsItIs(request.trace);
  Report report;
  std::optional<ChosenGpu> gpu;
  {
    Progress progress("analysing");
    trace->setProgress([&] {
      progress.show(0, 0);
      return SignalGuard::pending() != 0;
    });
    db::AnalysisOptions options;
    options.limit = request.limit;
    if (!request.gpu.empty()) options.gpu = &gpu.emplace("--gpu", request.gpu).preset();
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
      return SignalGuard::pending() != 0;
    };
    report = makeReport(*trace, analyses, options);
    if (request.format == "html" || request.format == "json") addSources(*trace, report);
  }
  if (request.format != "json" && request.format != "sarif") shortenPaths(report);
  StandardOutput output;
  if (request.format == "json")
    output.stream() << reportAsJson(report);
  else if (request.format == "sarif")
    output.stream() << reportAsSarif(report, absolutePaths(*trace), sourceRootOf(request.sourceRoot));
  else if (request.format == "html")
    output.stream() << reportAsHtml(report);
  else if (request.format == "markdown")
    output.stream() << reportAsMarkdown(report);
  else
    output.stream() << reportAsText(report, outputWidth(), outputHasColor());
  output.finish();
  return 0;
}

}  // namespace cui::cli
