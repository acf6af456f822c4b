// What `bounds` says of a site that accessed what it should not.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "db/analyses/analyses.h"
#include "db/analyses/trace_model.h"

namespace cui::db {

enum class BoundsFault { outside, unknown, freed, unwritten };

/// One finding in the making: a site, what it did, to which object.
struct BoundsCount {
  std::uint64_t lanes = 0;
  std::uint64_t leastDistance = std::numeric_limits<std::uint64_t>::max(), mostDistance = 0;
  bool behind = false;  ///< the object, of the first
  std::int64_t launchId = 0;
  std::string thread;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

/// `object`: null for BoundsFault::unknown.
Finding boundsFinding(const Site& site, BoundsFault fault, const Object* object, const BoundsCount& count);

}  // namespace cui::db
