// `cuinstrument check`: do the assertions hold?
#pragma once

#include <string>
#include <vector>

namespace cui::cli {

struct CheckRequest {
  std::string trace;
  std::vector<std::string> files;       ///< of checks
  std::vector<std::string> assertions;  ///< for every site
  bool noSource = false;                ///< ignore `// cui:` comments
  bool allowIncomplete = false;
  std::string junit, sarif;  ///< where to write them; "": nowhere
  std::string sourceRoot;    ///< SARIF names files relative to it; "": the working directory
  bool quiet = false;        ///< failures only
};
/// 1 if an assertion does not hold.
int runCheck(const CheckRequest& request);

}  // namespace cui::cli
