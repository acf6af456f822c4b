// How the lanes of a site's accesses lie: gathered for a few sites in one pass.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "db/analyses/trace_model.h"

namespace cui::db {

/// What most of those of a site's accesses look like that cost more than they must.
struct Pattern {
  std::uint64_t requests = 0;  ///< looked at; 0: the site's accesses are not stored
  bool irregular = false;
  bool idleBetween = false;  ///< lanes between the active ones are not
  std::int64_t stride = 0;
  std::uint32_t bytes = 0;
  std::uint32_t sectorOffset = 0;  ///< most frequent place of the first byte in its 32-byte sector
  double sectors = 0, lanes = 0;   ///< a request
  std::uint32_t blockWidth = 0;    ///< blockDim.x of most
  std::string object, objectType;  ///< the allocation accessed most, "" if none is known
  std::uint32_t elementBytes = 0;  ///< of that allocation
  std::int64_t objectId = 0;       ///< allocation_id
  // Where a field of an array of structs is accessed, elementBytes apart:
  std::uint32_t fieldOffset = 0;  ///< of the accessed bytes in the struct
  double structSectors = 0,
         soaSectors = 0;  ///< per request now, and with an array for each field; 0: no struct
};

/// By site id, from each site's first accesses.
Error collectPatterns(const TraceReader& reader, const TraceModel& model,
                      const std::set<std::int64_t>& siteIds, std::map<std::int64_t, Pattern>& patterns);

/// The accesses a suggestion is tried on, over all sites of one pass.
constexpr std::uint64_t trialRecords = 4'000'000;

}  // namespace cui::db
