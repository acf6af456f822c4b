// The same accesses after a change nobody has made yet: of an array's layout, or of the GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "db/analyses/analyses.h"
#include "db/analyses/cache_model.h"
#include "db/analyses/compare.h"

namespace cui::db {

struct LayoutChange {
  enum class Kind { pad, structOfArrays, swapIndices };
  Kind kind = Kind::pad;
  std::string name;               ///< of an allocation or shared variable; `function::name` for the latter
  std::uint64_t padElements = 1;  ///< after each row
  std::uint64_t rowElements = 0;  ///< 0: as declared, or as pitched
};

struct WhatIfOptions {
  std::vector<LayoutChange> changes;  ///< at most one for each object
  const GpuPreset* gpu = nullptr;     ///< simulate its caches; null: do not
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

struct WhatIfSite : Place {
  std::string kind;
  bool changed = false;  ///< accesses a changed object
  Traffic before, after;
  CacheTraffic cacheBefore, cacheAfter;
};

/// An object that the changes apply to.
struct WhatIfObject {
  std::string name, description;                  ///< "rows of 32 elements of 4 bytes, padded by 1"
  std::uint64_t count = 0;                        ///< allocations, or launches of a shared variable
  std::uint64_t bytesBefore = 0, bytesAfter = 0;  ///< of one; the largest
};

struct WhatIf {
  std::vector<WhatIfSite> sites;  ///< changed ones and, with a GPU, all; dearest first
  std::vector<WhatIfObject> objects;
  Traffic before, after;  ///< of all sites
  CacheTraffic cacheBefore, cacheAfter;
};

/// ErrorCode::sql if a name fits nothing, or a row's length is not known.
Error evaluateWhatIf(const TraceReader& reader, const WhatIfOptions& options, WhatIf& result);

}  // namespace cui::db
