// See export_command.h.
#include "cli/trace/export_command.h"

#include <filesystem>
#include <system_error>

#include "cli/base/errors.h"
#include "cli/base/format_text.h"
#include "cli/base/signals.h"
#include "cli/base/terminal.h"
#include "cli/trace/open.h"
#include "db/exporters/trace_formats.h"

namespace cui::cli {

int runExport(const ExportRequest& request) {
  const SignalGuard guard;
  const db::TraceFormat* const format = db::findTraceFormat(request.format);
  if (!format) throw Error(ExitCode::usage, "unknown format '" + request.format + "'");
  const bool tables = request.format == "csv" || request.format == "jsonl";
  if (!request.tables.empty() && !tables)
    throw Error(ExitCode::usage, "--table goes with the formats csv and jsonl");
  if (request.launch != 0 && request.format != "drcachesim" && request.format != "accelsim")
    throw Error(ExitCode::usage, "--launch goes with the formats drcachesim and accelsim");
  const std::unique_ptr<db::TraceReader> trace = openTraceAsItIs(request.trace);
  if (request.launch != 0 &&
      queryInteger(*trace, formatText("SELECT count(*) FROM launch WHERE launch_id = {}", request.launch)) ==
          0)
    throw Error(ExitCode::usage, formatText("there is no launch {}", request.launch));
  std::error_code ignored;
  if (std::filesystem::equivalent(request.trace, request.output, ignored))
    throw Error(ExitCode::usage, request.output + ": is the trace itself; choose another name");
  db::ExportOptions options;
  options.path = request.output;
  options.tables = request.tables;
  options.launchId = request.launch;
  Progress progress("exporting");
  trace->setProgress([&] {
    progress.show(0, 0);
    return SignalGuard::pending() != 0;
  });
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.show(done, total);
    return SignalGuard::pending() != 0;
  };
  throwIf(format->run(*trace, options));
  return 0;
}

}  // namespace cui::cli
