// `cuinstrument diff`: two traces side by side.
#pragma once

#include <cstddef>
#include <string>

namespace cui::cli {

struct DiffRequest {
  std::string before, after;    ///< traces
  std::string format = "text";  ///< text, markdown or json
  double thresholdPercent = 0;  ///< growth that is still the same
  std::size_t limit = 20;       ///< sites and kernels that are listed
  bool all = false;             ///< also those that did not change
};
/// 1 if something got worse.
int runDiff(const DiffRequest& request);

}  // namespace cui::cli
