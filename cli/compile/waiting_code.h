// Whether a kernel's blocks may wait for each other, as far as its PTX says: where they may, all of them have
// to be of one launch, in the order in which the hardware begins them.
#pragma once

#include <string_view>

namespace cui::cli {

/// Of a body of instructions, each on a line of its own. `all`: what is called may be called in a loop. True
/// also of what belongs to clusters, to launches that depend on each other, or asks how much shared memory
/// the launch has.
bool mayWaitForBlocks(std::string_view body, bool all);

}  // namespace cui::cli
