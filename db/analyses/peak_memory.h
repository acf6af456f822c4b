// Which allocations stand in the way when most device memory is taken: not used yet, or no longer.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "db/analyses/analyses.h"
#include "db/analyses/trace_model.h"

namespace cui::db {

/// When somebody first and last touched an object; firstNs beyond lastNs: never.
struct UseTimes {
  std::int64_t firstNs = std::numeric_limits<std::int64_t>::max();
  std::int64_t lastNs = std::numeric_limits<std::int64_t>::min();

  void touch(std::int64_t timeNs) {
    firstNs = timeNs < firstNs ? timeNs : firstNs;
    lastNs = timeNs > lastNs ? timeNs : lastNs;
  }
  bool any() const { return firstNs <= lastNs; }
};

/// `uses`: of each of the model's allocations. Nothing is found where a shorter life of some of them would
/// not lower the peak.
void findPeakMemory(const TraceModel& model, const std::vector<UseTimes>& uses,
                    std::vector<Finding>& findings);

}  // namespace cui::db
