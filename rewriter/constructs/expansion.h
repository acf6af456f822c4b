// How many sites nvcc meets in a kernel once it has inlined what is called and unrolled what can be counted.
// Where code is relocatable, functions that other units may call are compiled by themselves, as kernels are.
#pragma once

#include <clang/AST/ASTContext.h>

#include <cstdint>
#include <vector>

#include "constructs/findings.h"
#include "constructs/ranges.h"

namespace cui::constructs {

struct KernelSize {
  std::uint64_t sites = 0;
  /// Of 4 bytes, in arrays and objects of the thread's own: registers, if it goes well.
  std::uint64_t words = 0;
  /// It calls functions that call themselves, or each other.
  bool recursive = false;
};

struct UnitSize {
  KernelSize largest;       ///< kernel, or such a function; `recursive` if any kernel is
  std::uint64_t sites = 0;  ///< of all of them together
};

/// An estimate, for what no one sees in the source is how far nvcc unrolls.
UnitSize expansionOf(clang::ASTContext& ast, const Ranges& ranges, const std::vector<AccessFound>& accesses,
                     bool relocatable);

}  // namespace cui::constructs
