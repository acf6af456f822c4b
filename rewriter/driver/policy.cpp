#include "driver/policy.h"

#include <fnmatch.h>

#include <algorithm>
#include <string>
#include <vector>

namespace cui::driver {
namespace {

bool isUnder(const std::string& path, const std::string& folder) {
  return !folder.empty() && path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 &&
         (folder.back() == '/' || path[folder.size()] == '/');
}

bool matches(const std::vector<std::string>& globs, const std::string& path) {
  for (const std::string& glob : globs) {
    const std::string anywhere = glob.find('/') == std::string::npos ? "*/" + glob : glob;
    if (fnmatch(anywhere.c_str(), path.c_str(), 0) == 0) return true;
    if (fnmatch(constructs::absolutePath(glob).c_str(), path.c_str(), 0) == 0) return true;
  }
  return false;
}

}  // namespace

constructs::Sources::Policy policyOf(const Options& options, const Toolchain& toolchain) {
  std::vector<std::string> roots;
  roots.reserve(options.roots.size());
  for (const std::string& root : options.roots) roots.push_back(constructs::absolutePath(root));
  const std::vector<std::string> foreign{toolchain.cudaPath, toolchain.devlib, toolchain.resourceDir};
  constructs::Sources::Policy policy;
  policy.user = [roots, foreign](const std::string& path) {
    if (!roots.empty())
      return std::any_of(roots.begin(), roots.end(), [&](auto& root) { return isUnder(path, root); });
    return std::none_of(foreign.begin(), foreign.end(), [&](auto& folder) { return isUnder(path, folder); });
  };
  policy.wanted = [included = options.included, excluded = options.excluded](const std::string& path) {
    return (included.empty() || matches(included, path)) && !matches(excluded, path);
  };
  return policy;
}

}  // namespace cui::driver
