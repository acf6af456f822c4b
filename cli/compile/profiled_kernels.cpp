#include "cli/compile/profiled_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cli/compile/control_flow.h"
#include "cli/compile/lean_kernels.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"

namespace cui::cli {
namespace {

/// Each call of the body is of a place, or a loop, that rows account for: a site that does makes one call for
/// that, and one where that cannot be, for each way in which sites choose their mode.
bool isByRows(std::string_view body) {
  if (!mentions(body, "stepOf") || mentions(body, ".callprototype")) return false;
  unsigned rows = 0, loopRows = 0, fixedLoops = 0;
  std::array<unsigned, callFamilies.size()> accesses = {};
  bool known = true;
  forEachWord(body, [&](std::string_view, std::string_view word) {
    const std::string_view function = recorderFunction(word);
    if (function.empty() || isOneOf(rareCalls, function)) return;
    bool isKnown = true;
    if (function == rowOfPlace)
      ++rows;
    else if (function == rowOfLoop)
      ++loopRows;
    else if (isOneOf(callsOfFixedLoops, function))
      ++fixedLoops;
    else if (isOneOf(callFamilies[0].ofAccesses, function))
      ++accesses[0];
    else if (isOneOf(callFamilies[1].ofAccesses, function))
      ++accesses[1];
    else
      isKnown = false;
    known = known && isKnown;
  });
  return known && fixedLoops <= loopRows &&
         std::all_of(accesses.begin(), accesses.end(), [rows](unsigned count) { return count <= rows; });
}

}  // namespace

std::set<std::string_view> kernelsByRows(std::string_view ptx) {
  std::set<std::string_view> kernels;
  const std::set<std::string_view> own = ownFunctions(ptx), lean = leanKernelsOf(ptx);
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view name = nameOfKernel(declaration);
    if (lean.count(name) == 0 && isByRows(body) && !namesAny(body, own)) kernels.insert(name);
  });
  return kernels;
}

std::string withProfiledKernels(std::string_view ptx) {
  const std::set<std::string_view> kernels = kernelsByRows(ptx);
  std::string result(ptx);
  if (kernels.empty()) return result;
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view name = nameOfKernel(declaration);
    if (kernels.count(name) == 0) return;
    const std::size_t end = static_cast<std::size_t>(name.data() + name.size() - declaration.data());
    result.append(declaration.substr(0, end)).append(profiledSuffix).append(declaration.substr(end));
    result.append(body).append("\n");
  });
  return result;
}

bool isProfiledName(std::string_view name) {
  return name.ends_with(profiledSuffix);
}
std::string_view withoutProfiledSuffix(std::string_view name) {
  if (isProfiledName(name)) name.remove_suffix(profiledSuffix.size());
  return name;
}

}  // namespace cui::cli
