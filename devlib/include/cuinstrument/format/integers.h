// Integers of fixed width under names of our own. What is included in front of a program must not bring
// <cstdint>: sources for run-time compilers, and some in the style of C, declare `uint64_t` themselves, and
// not all as it does.
#pragma once

namespace cui {

using int32_t = __INT32_TYPE__;
using int64_t = __INT64_TYPE__;
using uint8_t = __UINT8_TYPE__;
using uint16_t = __UINT16_TYPE__;
using uint32_t = __UINT32_TYPE__;
using uint64_t = __UINT64_TYPE__;

}  // namespace cui
