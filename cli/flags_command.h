// `cuinstrument flags`: what a build of the user's own needs.
#pragma once

#include <string>

namespace cui::cli {

struct FlagsRequest {
  std::string backend = "cuda";
  bool compile = false, link = false, makefile = false, prefix = false;
  bool whole = false;  ///< the link's may stand in front of the objects
};

int runFlags(const FlagsRequest& request);

}  // namespace cui::cli
