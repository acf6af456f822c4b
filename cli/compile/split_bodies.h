// Two bodies for a kernel, of which a block runs one: what is asked once in front of them is not asked in
// either (in_place_kernels.h).
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// `first` and `second`: the same body of instructions, with the prologue of split_prologue.h or without,
/// each line in its place, some of them replaced or left out. Both have the first's variables in memory.
/// `begin`: registers, in front of all. `question`: behind the prologue; it goes to `secondBody`, or on to
/// the first. `behind`: goes behind the first's instructions.
struct SplitBodies {
  std::string_view first, second, begin, question, behind;
};
std::string withBothBodies(const SplitBodies& bodies);

constexpr std::string_view secondBody = "$L__cuiOthers";

}  // namespace cui::cli
