// The accesses of an attached trace ("src") as those of a merged one ("main").
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "db/store/sqlite.h"

namespace cui::db {

/// The sites must be in "main" already, and the launches' new ids in launch_map, under `source`. Global
/// addresses are moved by `distance`. `proceed` gets the records done; false cancels. Returns how many there
/// were; throws StoreFailure.
std::uint64_t copyMergedChunks(Database& database, std::size_t source, std::uint64_t distance,
                               const std::function<bool(std::uint64_t done)>& proceed);

}  // namespace cui::db
