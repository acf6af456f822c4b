// Whole traces in other tools' formats. The catalogue is trace_formats.def; each format is one file here.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/error.h"

namespace cui::db {

class TraceReader;

struct ExportOptions {
  std::string path;  ///< a file, or a folder, which is made
  std::vector<std::string>
      tables;                 ///< of the tables' formats; empty: all but those of single thread accesses
  std::int64_t launchId = 0;  ///< of the address traces: only this launch; 0: all
  /// Accesses seen and in all, where they are known; true cancels.
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

struct TraceFormat {
  const char* name;
  Error (*run)(const TraceReader& reader, const ExportOptions& options);
  bool folder;
  const char* description;
};
std::span<const TraceFormat> traceFormats();
/// Null if there is none of that name.
const TraceFormat* findTraceFormat(std::string_view name);

}  // namespace cui::db
