// `cuinstrument report`.
#pragma once

#include <string>
#include <vector>

namespace cui::cli {

struct ReportRequest {
  std::string trace;
  std::vector<std::string> analyses;  ///< names; empty: all
  std::string format = "text";        ///< text, markdown, json or html
  std::size_t limit = 20;             ///< findings per analysis
};
int runReport(const ReportRequest& request);

}  // namespace cui::cli
