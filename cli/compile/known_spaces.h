// Questions for a pointer's address space whose answer follows from where the pointer comes from, and which
// cicc leaves in a unit's PTX all the same: in front of loops, where the recorder asks by a choice between
// the pointer and none (cuinstrument/backend/cuda/site.h: askable()). An access's questions take 25
// instructions.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// The unit with its kernels' questions (`isspacep`) about pointers to their shared variables answered, and
/// about pointers to what a parameter points to, which nvcc takes for global memory (`cvta.to.global` of it);
/// and with the word of the unit's state that is always 0 as a number.
std::string withKnownSpaces(std::string_view ptx);

}  // namespace cui::cli
