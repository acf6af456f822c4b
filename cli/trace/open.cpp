// Opening a trace.
#include "cli/trace/open.h"

#include "cli/base/errors.h"
#include "cli/base/signals.h"

namespace cui::cli {
namespace {

ExitCode exitCodeOf(db::ErrorCode code) {
  switch (code) {
    case db::ErrorCode::sql:
      return ExitCode::usage;
    case db::ErrorCode::none:
    case db::ErrorCode::cancelled:
    case db::ErrorCode::internal:
      return ExitCode::internal;
    case db::ErrorCode::busy:
    case db::ErrorCode::notADatabase:
    case db::ErrorCode::notATrace:
    case db::ErrorCode::truncated:
    case db::ErrorCode::newerSchema:
    case db::ErrorCode::olderSchema:
    case db::ErrorCode::corrupt:
    case db::ErrorCode::io:
      return ExitCode::io;
  }
  return ExitCode::internal;
}

}  // namespace

void throwIf(const db::Error& error) {
  if (!error) return;
  if (error.code == db::ErrorCode::cancelled) SignalGuard::check();
  throw Error(exitCodeOf(error.code), error.message);
}

std::unique_ptr<db::TraceReader> openTrace(const std::string& path) {
  db::Error error;
  std::unique_ptr<db::TraceReader> trace = db::TraceReader::open(path, error);
  throwIf(error);
  trace->setProgress([] { return SignalGuard::pending() != 0; });
  return trace;
}

std::unique_ptr<db::TraceReader> openTraceAsItIs(const std::string& path) {
  std::unique_ptr<db::TraceReader> trace = openTrace(path);
  throwIf(trace->holdStill());
  return trace;
}

std::string queryText(const db::TraceReader& trace, const std::string& sql) {
  std::string text;
  throwIf(trace.query(sql, [&](db::Row row) {
    text = db::asText(row[0]);
    return false;
  }));
  return text;
}

std::int64_t queryInteger(const db::TraceReader& trace, const std::string& sql) {
  db::Error error;
  const std::int64_t value = trace.integer(sql, error);
  throwIf(error);
  return value;
}

std::map<std::string, std::string> absolutePaths(const db::TraceReader& trace) {
  std::map<std::string, std::string> paths;
  throwIf(
      trace.query("SELECT path, min(absolute_path) FROM source_file GROUP BY path HAVING count(DISTINCT "
                  "absolute_path) = 1",
                  [&](db::Row row) {
                    paths[db::asText(row[0])] = db::asText(row[1]);
                    return true;
                  }));
  return paths;
}

}  // namespace cui::cli
