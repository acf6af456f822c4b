// The same accesses after a change nobody has made yet: of an array's layout, or of the GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "db/analyses/analyses.h"
#include "db/analyses/cache_model.h"
#include "db/analyses/compare.h"
#include "db/analyses/layout_plan.h"

namespace cui::db {

struct WhatIfOptions {
  std::vector<LayoutChange> changes;  ///< at most one for each object
  const GpuPreset* gpu = nullptr;     ///< simulate its caches; null: do not
  bool coldL2 = false;                ///< L2 is empty when a launch begins
  std::function<bool(std::uint64_t done, std::uint64_t total)> progress;
};

struct WhatIfSite : Place {
  std::string kind;
  bool changed = false;  ///< accesses a changed object
  Traffic before, after;
  CacheTraffic cacheBefore, cacheAfter;
};

/// A kernel's launches with recorded accesses, together.
struct WhatIfKernel {
  std::string kernel;
  std::uint64_t launches = 0;
  CacheTraffic cacheBefore, cacheAfter;
};

struct WhatIf {
  std::vector<WhatIfSite> sites;      ///< changed ones and, with a GPU, all; dearest first
  std::vector<WhatIfKernel> kernels;  ///< with a GPU, in order of their first launch
  std::vector<WhatIfObject> objects;
  Traffic before, after;  ///< of all sites
  CacheTraffic cacheBefore, cacheAfter;
};

/// ErrorCode::sql if a name fits nothing, or a row's length is not known.
Error evaluateWhatIf(const TraceReader& reader, const WhatIfOptions& options, WhatIf& result);

}  // namespace cui::db
