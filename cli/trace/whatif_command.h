// `cuinstrument whatif`: the recorded accesses after a change that nobody has made yet.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cui::cli {

struct WhatIfRequest {
  std::string trace;
  std::vector<std::string> pad;     ///< NAME=+N
  std::vector<std::string> layout;  ///< NAME=soa
  std::vector<std::string> swap;    ///< NAME
  std::vector<std::string> row;     ///< NAME=ELEMENTS
  std::string cache;                ///< a GPU, as ChosenGpu reads it; "": none
  bool cold = false;
  std::string format = "text";  ///< text or json
  std::size_t limit = 20;
};
int runWhatIf(const WhatIfRequest& request);

}  // namespace cui::cli
