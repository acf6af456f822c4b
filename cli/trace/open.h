// Opening a trace, and turning the store's errors into exit codes.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "db/store/error.h"
#include "db/store/trace_reader.h"

namespace cui::cli {

/// Throws Error for a file that is no readable trace.
std::unique_ptr<db::TraceReader> openTrace(const std::string& path);
/// Whatever a program that is running adds to it meanwhile: for what asks many questions.
std::unique_ptr<db::TraceReader> openTraceAsItIs(const std::string& path);

/// Throws if there is an error: Interrupted if a signal cancelled the work, else Error.
void throwIf(const db::Error& error);

/// Runs a query whose result is one text; "" if it has no row or is NULL.
std::string queryText(const db::TraceReader& trace, const std::string& sql);
std::int64_t queryInteger(const db::TraceReader& trace, const std::string& sql);

/// Where the source files are that the trace names as the compiler's command line did. A name that stands for
/// several files is left out.
std::map<std::string, std::string> absolutePaths(const db::TraceReader& trace);

}  // namespace cui::cli
