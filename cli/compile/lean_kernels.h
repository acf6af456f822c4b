// Kernels that call the recorder in front of their loops and hardly elsewhere: streams of several elements a
// thread. Each call takes its time once for many elements; what they would pay for are the recorder's
// registers, with which half as many warps run at a time. So they call functions of their own, which are the
// same, compiled for as few registers as such a kernel has (docs/adr/0020-lean-kernels.md).
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace cui::cli {

/// Behind the names of the functions that they call.
constexpr std::string_view leanSuffix = "$cuiLean";
/// Of those functions and, at least, of such kernels: with as many all threads that a multiprocessor has room
/// for can run.
constexpr long leanRegisters = 32;

/// Whether it is the name of such a function.
bool isLeanName(std::string_view name);

/// What the device code of a loop that has been recorded in front says where it records access by access all
/// the same (backend/cuda/backend.h).
constexpr std::string_view besideLoop = "cuiBesideLoop";

/// The names of these kernels in a unit's PTX, and of those for profiles, not those for traces
/// (mode_kernels.h).
std::set<std::string_view> leanKernelsOf(std::string_view ptx);

/// The unit's text, in which they call those functions.
std::string withLeanKernels(std::string_view ptx);

/// A module of the recorder's in which all functions have such names.
std::string leanModule(std::string_view recorder);

}  // namespace cui::cli
