// The recorder's functions that kernels call, by what they are for: what tells kernels apart that call it
// seldom (lean_kernels.h, mode_kernels.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace cui::cli {

/// Of all accesses of a loop, and of an access or several of an expression. A site calls one for each mode.
struct CallFamily {
  std::array<std::string_view, 3> ofLoops, ofAccesses;
};
constexpr std::array<CallFamily, 2> callFamilies = {{
    {{"recordLoopOne", "recordLoopTwo", "recordLoopThree"}, {"recordWarp", "recordTwo", "recordThree"}},
    {{"loopOneInMode", "loopTwoInMode", "loopThreeInMode"}, {"warpInMode", "twoInMode", "threeInMode"}},
}};
/// Where rows of the grid account for a place, and for a loop: one call for each of those. Loops that have
/// none may go round differently often in each lane, as rows of a sparse matrix do.
constexpr std::string_view rowOfPlace = "stepOfRow", rowOfLoop = "stepOfLoopRow";
/// Of all accesses of a loop, by whole warps; and what is called instead where the loop follows no rule.
constexpr std::string_view gatheredLoop = "recordGatheredLoop";
constexpr std::array<std::string_view, 2> otherLoops = {"recordFixedLoop", "recordLongLoop"};
/// What takes its time once in a kernel, or does nothing unless it is asked for.
constexpr std::array<std::string_view, 4> rareCalls = {"tellKernel", "tellShared", "beginRow",
                                                       "barrierAtSite"};

template <std::size_t Count>
bool isOneOf(const std::array<std::string_view, Count>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace cui::cli
