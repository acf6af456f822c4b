// What accesses add up to, wherever they are measured: of a chunk, or of a launch on the GPU.
#pragma once

#include <cstdint>

namespace cui::db {

/// docs/metrics.md defines the terms.
struct AccessSums {
  std::uint64_t requests = 0, threadAccesses = 0, bytes = 0, sectors = 0, idealSectors = 0, wavefronts = 0,
                idealWavefronts = 0, sectorRequests = 0, wavefrontRequests = 0, usefulBytes = 0;
};

}  // namespace cui::db
