// Addresses that a kernel computes twice, once to access them and once to say so to the recorder: cicc writes
// an index's product with what it counts in as `mul.wide.s32` in the one place, and as `cvt.s64.s32` and
// `shl.b64` in the other, in which ptxas does not see that it is the same. That is five instructions and two
// registers an access.
#pragma once

#include <string>
#include <string_view>

namespace cui::cli {

/// The unit with the second form as the first, where its kernels have both of the same index.
std::string withWideProducts(std::string_view ptx);

}  // namespace cui::cli
