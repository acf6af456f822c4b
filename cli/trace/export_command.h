// `cuinstrument export`: a whole trace in other tools' formats.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cui::cli {

struct ExportRequest {
  std::string trace;
  std::string format;  ///< one of db's trace formats
  std::string output;  ///< a file or a folder, as the format has it
  std::vector<std::string> tables;
  std::int64_t launch = 0;  ///< 0: all
};
int runExport(const ExportRequest& request);

}  // namespace cui::cli
