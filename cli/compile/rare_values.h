// Values that a kernel computes in front of its loops, and which in these only the calls for loops that
// follow no rule ask for (otherLoops of recorder_calls.h): 15 addresses of a tiled product's inner loop. In
// registers they would live all through the program's own loop. ptxas puts them in local memory in the end,
// but first orders the program's instructions for the registers that are left then: five, for each of 160
// loads.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// A kernel's body, in which the mode is known, with these values in the lane's own memory, stored where they
/// are set, and loaded in the blocks that make such a call; and with answers kept (kept_answers.h), whose
/// questions are seldom asked then. `state`: the unit's, which has a word that is 0.
std::string withRareValuesAway(std::string_view body, std::string_view state);

}  // namespace cui::cli
