// What one warp access costs, by the formulas of docs/metrics.md. Pure functions.
#pragma once

#include <cstdint>

#include "cuinstrument/format/record.h"

namespace cui::db {

struct AccessCost {
  std::uint32_t sectors = 0, idealSectors = 0;        ///< 0 unless countsSectors
  std::uint32_t wavefronts = 0, idealWavefronts = 0;  ///< 0 unless countsWavefronts
  std::uint32_t usefulBytes = 0;                      ///< distinct bytes; 0 unless countsSectors
  bool operator==(const AccessCost&) const = default;
};

/// Global and local memory move 32-byte sectors; generic is taken for global.
constexpr bool countsSectors(format::Space space) {
  return space == format::Space::global || space == format::Space::local || space == format::Space::generic;
}
constexpr bool countsWavefronts(format::Space space) {
  return space == format::Space::shared;
}

/// The exact cost of any access: lane i's `bytes` bytes are at address[i] where bit i of mask is set.
AccessCost measureLanes(format::Space space, std::uint32_t bytes, std::uint32_t mask,
                        const std::uint64_t* address);

/// The same for lanes at address + stride * (i - first active lane), in closed form where one exists.
AccessCost measureAffine(format::Space space, std::uint32_t bytes, std::uint32_t mask, std::uint64_t address,
                         std::int32_t stride);

}  // namespace cui::db
