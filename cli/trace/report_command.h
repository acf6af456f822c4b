// `cuinstrument report`.
#pragma once

#include <string>
#include <vector>

namespace cui::cli {

struct ReportRequest {
  std::string trace;
  std::vector<std::string> analyses;  ///< names; empty: all
  bool all = false;                   ///< also those that describe and are not in a report by default
  std::string gpu;                    ///< whose times are predicted; "": the traced one
  std::string sourceRoot;             ///< SARIF names files relative to it; "": the working folder
  std::string format = "text";        ///< text, markdown, json, html or sarif
  std::size_t limit = 20;             ///< findings per analysis
};
int runReport(const ReportRequest& request);

}  // namespace cui::cli
