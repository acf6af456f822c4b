// What an address of the program's belongs to: memory of the runtime's, a variable, or other memory of the
// host.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cui::cpu {

/// What the runtime knows about where an address points.
enum class Place {
  device,    ///< a live cudaMalloc allocation
  managed,   ///< a live cudaMallocManaged allocation
  pinned,    ///< pinned or registered host memory
  variable,  ///< static storage: a __device__ variable, or the host's; the address does not tell
  pageable,  ///< other host memory
  unmapped,  ///< in the reserved range but not allocated: freed, or past an allocation's end
};
struct Located {
  Place place = Place::pageable;
  std::uintptr_t begin = 0;  ///< of the allocation, where there is one
  std::size_t bytes = 0;
  int device = 0;
};
Located locate(const volatile void* pointer);

/// Whether [pointer, pointer + bytes) lies in static storage that can be written.
bool inWritableStaticStorage(const volatile void* pointer, std::size_t bytes);

}  // namespace cui::cpu
