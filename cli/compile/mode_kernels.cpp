#include "cli/compile/mode_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "cli/compile/control_flow.h"
#include "cli/compile/in_place_kernels.h"
#include "cli/compile/lean_kernels.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/tallied_kernels.h"

namespace cui::cli {
namespace {

/// Each call of the body is of a place that rows account for: a site that does makes one call for that, and
/// one where that cannot be, for each way in which sites choose their mode. Loops are no such sites: one
/// block's warps account for all times round, which they take twice as long for. So none of these is lean.
bool isByRows(std::string_view body) {
  if (!mentions(body, rowOfPlace) || mentions(body, ".callprototype")) return false;
  unsigned rows = 0;
  std::array<unsigned, callFamilies.size()> accesses = {};
  bool onlyThese = true;
  forEachWord(body, [&](std::string_view, std::string_view word) {
    const std::string_view function = recorderFunction(word);
    if (function.empty() || isOneOf(rareCalls, function)) return;
    bool known = function == rowOfPlace;
    if (known) ++rows;
    for (std::size_t i = 0; i < callFamilies.size(); ++i) {
      if (!isOneOf(callFamilies[i].ofAccesses, function)) continue;
      ++accesses[i];
      known = true;
    }
    onlyThese = onlyThese && known;
  });
  return onlyThese &&
         std::all_of(accesses.begin(), accesses.end(), [rows](unsigned count) { return count <= rows; });
}

}  // namespace

std::set<std::string_view> kernelsByRows(std::string_view ptx) {
  std::set<std::string_view> kernels;
  const std::set<std::string_view> own = ownFunctions(ptx);
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    if (isByRows(body) && !namesAny(body, own)) kernels.insert(nameOfKernel(declaration));
  });
  return kernels;
}

std::string withModeKernels(std::string_view ptx) {
  const std::set<std::string_view> byRows = kernelsByRows(ptx), lean = leanKernelsOf(ptx);
  std::string result(ptx);
  if (byRows.empty() && lean.empty()) return result;
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view name = nameOfKernel(declaration);
    const bool isByRows = byRows.count(name) != 0;
    if (!isByRows && lean.count(name) == 0) return;
    result.append(withSuffix(declaration, name, isByRows ? profiledSuffix : tracedSuffix));
    result.append(body).append("\n");
  });
  return result;
}

std::string_view withoutModeSuffix(std::string_view name) {
  for (const std::string_view suffix :
       {profiledSuffix, tracedSuffix, talliedSuffix, inPlaceSuffix, loggedSuffix})
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

}  // namespace cui::cli
