// The sink that writes a trace.db through db/store.
#pragma once

#include <memory>
#include <string>

#include "db/store/trace_writer.h"
#include "hostlib/record_sink.h"

namespace cui::hostlib {

/// Creates the trace; null and a line in `error` if that fails. `barriers`: a GPU's are recorded.
std::unique_ptr<RecordSink> openTraceSink(const std::string& path, const db::WriterOptions& options,
                                          bool barriers, std::string& error);

}  // namespace cui::hostlib
