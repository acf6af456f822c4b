// The program's sources: as the trace names them, and their text where this machine has it.
#pragma once

#include <string>
#include <vector>

#include "db/store/trace_reader.h"

namespace cui::cli {

/// A row of source_file.
struct SourceFile {
  std::string path;  ///< as sites name it
  std::string absolutePath, hash;
};
std::vector<SourceFile> sourceFiles(const db::TraceReader& trace);

enum class SourceState {
  same,     ///< what the program was built from
  changed,  ///< a file of that name, but another text
  missing,
};
SourceState readSource(const SourceFile& source, std::string& text);

}  // namespace cui::cli
