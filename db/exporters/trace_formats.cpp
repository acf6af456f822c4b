// The catalogue of trace_formats.def.
#include "db/exporters/trace_formats.h"

namespace cui::db {

#define CUI_TRACE_FORMAT(name, function, folder, description) \
  Error function(const TraceReader& reader, const ExportOptions& options);
#include "db/exporters/trace_formats.def"
#undef CUI_TRACE_FORMAT

namespace {
constexpr TraceFormat formats[] = {
#define CUI_TRACE_FORMAT(name, function, folder, description) {#name, function, folder, description},
#include "db/exporters/trace_formats.def"
#undef CUI_TRACE_FORMAT
};
}  // namespace

std::span<const TraceFormat> traceFormats() {
  return formats;
}

const TraceFormat* findTraceFormat(std::string_view name) {
  for (const TraceFormat& format : formats)
    if (name == format.name) return &format;
  return nullptr;
}

}  // namespace cui::db
