// nsys: the tables that `nsys export --type sqlite` writes, as far as a trace has what is in them. The trace
// has views of these names; many scripts ask sqlite_master for tables first.
#include "db/exporters/trace_formats.h"
#include "db/store/table_file.h"

namespace cui::db {

Error exportNsys(const TraceReader& reader, const ExportOptions& options) {
  static constexpr const char* tables[] = {"StringIds",
                                           "CUPTI_ACTIVITY_KIND_KERNEL",
                                           "CUPTI_ACTIVITY_KIND_MEMCPY",
                                           "CUPTI_ACTIVITY_KIND_MEMSET",
                                           "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                           "CUPTI_ACTIVITY_KIND_RUNTIME",
                                           "CUDA_GPU_MEMORY_USAGE_EVENTS",
                                           "NVTX_EVENTS",
                                           "TARGET_INFO_GPU",
                                           "TARGET_INFO_SESSION_START_TIME",
                                           "ENUM_CUDA_MEMCPY_OPER",
                                           "ENUM_CUPTI_SYNC_TYPE"};
  return writeTableFile(reader, tables, options.path);
}

}  // namespace cui::db
