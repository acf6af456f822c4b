// Host memory that cudaHostRegister has pinned.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cui::cpu {

struct RegisteredRange {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  unsigned flags = 0;
};

/// The registered range that contains `address`; false if none does.
bool findRegistered(std::uintptr_t address, RegisteredRange& found);

}  // namespace cui::cpu
