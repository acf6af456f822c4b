// A unit's state in PTX (cuinstrument/backend/cuda/host_unit.h), which its sites ask whether they record:
// what is left of the questions where nothing is recorded, or in a known mode. For plain_code.h,
// plain_kernels.h, tallied_kernels.h and in_place_kernels.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cui::cli {

struct UnitState {
  std::string_view name;  ///< empty: the unit has none
  std::size_t bytes = 0;
};
UnitState stateOf(std::string_view ptx);

/// Functions' text, each instruction on a line of its own, as if the state were all zeros.
std::string withoutQuestions(std::string_view text, const UnitState& state);

/// The same as they are in profiles of all blocks and warps.
std::string inProfiles(std::string_view text, const UnitState& state);
/// As they are in traces without times and barriers: in blocks that are recorded, or in the others.
std::string inTraces(std::string_view text, const UnitState& state, bool recorded);

/// Takes what stands in front of `end` from the text, and `end` itself; all of it if there is none.
std::string_view takeUpTo(std::string_view& text, std::string_view end);

}  // namespace cui::cli
