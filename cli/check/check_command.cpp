// See check_command.h.
#include "cli/check/check_command.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/base/sarif.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"
#include "cli/check/check.h"
#include "cli/trace/open.h"

namespace cui::cli {
namespace {

void writeFile(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ExitCode::io, path + ": cannot be written");
}

std::vector<Check> gatherChecks(const CheckRequest& request, const db::TraceReader& trace) {
  std::vector<Check> checks;
  for (const std::string& file : request.files) readChecks(file, checks);
  for (const std::string& text : request.assertions) {
    Check check;
    check.name = text;
    if (const std::string problem = parseAssertions(text, check.assertions); !problem.empty())
      throw Error(ExitCode::usage, "--assert: " + problem);
    for (const Assertion& assertion : check.assertions)
      if (isFindingCount(assertion.metric))
        throw Error(ExitCode::usage,
                    "--assert: " + assertion.metric + " needs a file of checks that says of which analysis");
    checks.push_back(std::move(check));
  }
  std::vector<std::string> missing;
  if (!request.noSource) readSourceChecks(trace, checks, missing);
  for (const std::string& path : missing)
    std::fprintf(stderr, "cuinstrument: note: %s is not here: comments in it are not checked\n",
                 path.c_str());
  if (checks.empty())
    throw Error(ExitCode::usage,
                "nothing to check: give a file of checks or --assert, or write comments like // cui: "
                "sectors_per_request <= 4");
  return checks;
}

/// What all numbers rest on.
void checkCompleteness(const db::TraceReader& trace, const Check& check, std::vector<CheckResult>& results) {
  const std::int64_t lost = queryInteger(trace, "SELECT count(*) FROM trace_stat WHERE severity <> 'info'");
  std::string problem;
  if (!trace.complete()) problem = "the program did not close its trace: it is running or was killed";
  if (lost != 0)
    problem =
        queryText(trace, "SELECT name || ': ' || detail FROM trace_stat WHERE severity <> 'info' LIMIT 1");
  results.insert(results.begin(), {&check, "", problem.empty(), problem, {}});
}

void print(std::ostream& out, const std::vector<CheckResult>& results, bool quiet, bool color) {
  const auto painted = [color](const char* word, const char* digits) {
    return color ? formatText("\033[{}m{}\033[0m", digits, word) : std::string(word);
  };
  for (const CheckResult& result : results) {
    if (result.passed && quiet) continue;
    const bool atSite = result.place.line != 0;
    const std::string file = atSite ? result.place.file : result.check->originFile;
    const std::uint32_t line = atSite ? result.place.line : result.check->originLine;
    out << (result.passed ? painted("ok  ", "32") : painted("FAIL", "31")) << ' ';
    if (!file.empty()) out << file << ':' << line << ": ";
    out << result.check->name;
    if (!result.message.empty() && (!result.passed || atSite)) out << ": " << result.message;
    out << '\n';
  }
}

}  // namespace

int runCheck(const CheckRequest& request) {
  const SignalGuard guard;
  const std::unique_ptr<db::TraceReader> trace = openTraceAsItIs(request.trace);
  const std::vector<Check> checks = gatherChecks(request, *trace);
  const std::time_t begin = std::time(nullptr);
  std::vector<CheckResult> results;
  {
    Progress progress("checking");
    db::AnalysisOptions options;
    options.limit = 10'000;  // all there is to annotate
    options.progress = [&](std::uint64_t done, std::uint64_t total) {
      progress.show(done, total);
      return SignalGuard::pending() != 0;
    };
    results = evaluateChecks(*trace, checks, options);
  }
  Check complete;
  complete.name = "the trace is complete";
  if (!request.allowIncomplete) checkCompleteness(*trace, complete, results);
  const std::string root = sourceRootOf(request.sourceRoot);
  if (!request.junit.empty()) writeFile(request.junit, checksAsJUnit(results, begin));
  if (!request.sarif.empty()) writeFile(request.sarif, checksAsSarif(results, absolutePaths(*trace), root));
  const auto failed =
      std::count_if(results.begin(), results.end(), [](const CheckResult& result) { return !result.passed; });
  StandardOutput output;
  print(output.stream(), results, request.quiet, outputHasColor());
  output.stream() << formatText("{} of {} assertions hold.\n",
                                results.size() - static_cast<std::size_t>(failed), results.size());
  output.finish();
  return failed == 0 ? 0 : 1;
}

}  // namespace cui::cli
