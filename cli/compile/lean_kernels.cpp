#include "cli/compile/lean_kernels.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "cli/compile/control_flow.h"
#include "cli/compile/mode_kernels.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/silent_calls.h"

namespace cui::cli {
namespace {

/// Sites beside its loops that such a kernel may have, as what adds up a block's sums has, and calls of any
/// kind.
constexpr unsigned mostSites = 4, mostCalls = 64;

/// A kernel's calls of a family's functions.
struct Calls {
  unsigned inFront = 0;  ///< of loops
  unsigned once = 0, again = 0;
  /// `besides`: accesses that are recorded in front of their loops, nearly always, once as these are
  /// unrolled.
  bool areFew(unsigned besidesOnce, unsigned besidesAgain) const {
    return once <= mostSites + besidesOnce && again <= besidesAgain;
  }
};

bool isLean(std::string_view body) {
  // What most kernels have not, in front of looking at each word.
  if (!mentions(body, rowOfLoop) || mentions(body, ".callprototype")) return false;
  ControlFlow flow;
  struct Found {
    std::size_t block, family;
    bool ofLoop;
  };
  std::vector<Found> found;
  std::vector<std::size_t> besides;  // the blocks of such accesses
  bool onlyThese = true;
  unsigned rows = 0, gathered = 0, instead = 0;  // of gathered loops that follow no rule
  flow.read(body, [&](std::string_view line, std::string_view, std::size_t block) {
    if (mentions(line, besideLoop)) besides.push_back(block);
    forEachWord(line, [&](std::string_view, std::string_view word) {
      const std::string_view function = recorderFunction(word);
      if (function.empty() || isOneOf(rareCalls, function)) return;
      const bool isRow = function == rowOfLoop, isGathered = function == gatheredLoop;
      const bool isInstead = isOneOf(otherLoops, function);
      rows += isRow ? 1 : 0;
      gathered += isGathered ? 1 : 0;
      instead += isInstead ? 1 : 0;
      bool known = isRow || isGathered || isInstead;
      if (isGathered)  // in either mode
        for (std::size_t i = 0; i < callFamilies.size(); ++i) found.push_back({block, i, true});
      for (std::size_t i = 0; i < callFamilies.size(); ++i) {
        const bool ofLoop = isOneOf(callFamilies[i].ofLoops, function);
        if (!ofLoop && !isOneOf(callFamilies[i].ofAccesses, function)) continue;
        found.push_back({block, i, ofLoop});
        known = true;
      }
      onlyThese = onlyThese && known;
    });
    return onlyThese && found.size() <= mostCalls;
  });
  if (!onlyThese || found.size() > mostCalls || instead > gathered) return false;
  std::array<Calls, callFamilies.size()> calls;
  for (const auto& [block, family, ofLoop] : found) {
    const bool comesBack = flow.comesBack(block);
    if (ofLoop && comesBack) return false;  // it takes its time each time round another loop
    ++(ofLoop ? calls[family].inFront : comesBack ? calls[family].again : calls[family].once);
  }
  const auto again = static_cast<unsigned>(std::count_if(
      besides.begin(), besides.end(), [&flow](std::size_t block) { return flow.comesBack(block); }));
  return std::any_of(calls.begin(), calls.end(), [](const Calls& of) { return of.inFront != 0; }) &&
         std::all_of(calls.begin(), calls.end(), [&](const Calls& of) {
           return of.inFront <= rows && of.areFew(static_cast<unsigned>(besides.size()) - again, again);
         });
}

}  // namespace

bool isLeanName(std::string_view name) {
  return name.ends_with(leanSuffix) && !recorderFunction(name).empty();
}

std::set<std::string_view> leanKernelsOf(std::string_view ptx) {
  std::set<std::string_view> kernels;
  const std::set<std::string_view> own = ownFunctions(ptx);  // other kernels may call these, too
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view name = nameOfKernel(declaration);
    if (name.ends_with(tracedSuffix)) return;
    if (name.ends_with(profiledSuffix) || (isLean(body) && !namesAny(body, own))) kernels.insert(name);
  });
  return kernels;
}

std::string withLeanKernels(std::string_view ptx) {
  const std::set<std::string_view> kernels = leanKernelsOf(ptx);
  if (kernels.empty()) return std::string(ptx);
  const std::set<std::string_view> functions = recordersExterns(ptx);
  const std::string calling =
      withBodies(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
        if (kernels.count(nameOfKernel(declaration)) == 0) return std::string(body);
        std::string result;
        forEachWord(body, [&](std::string_view between, std::string_view word) {
          result.append(between).append(word).append(functions.count(word) != 0 ? leanSuffix : "");
        });
        return result;
      });
  std::string result;
  forEachFunction(calling, [&result](std::string_view between, std::string_view declaration) {
    result.append(between);
    if (isRecordersExtern(declaration))
      result.append(withSuffix(declaration, nameOfFunction(declaration), leanSuffix)).append(";\n");
    result.append(declaration);
  });
  return result;
}

std::string leanModule(std::string_view recorder) {
  std::string result;
  result.reserve(recorder.size() * 9 / 8);
  forEachWord(recorder, [&](std::string_view between, std::string_view word) {
    result.append(between).append(word).append(recorderFunction(word).empty() ? "" : leanSuffix);
  });
  return result;
}

}  // namespace cui::cli
