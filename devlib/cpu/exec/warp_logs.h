// The logs of one warp's lanes, waiting to be merged.
#pragma once

#include <cstdint>

#include "cuinstrument/backend/cpu/exec_log.h"
#include "cuinstrument/format/record.h"

namespace cui::cpu {

using backend::LaneLog;
using backend::laneLogEntries;
constexpr unsigned warpLanes = format::lanesPerWarp;
constexpr std::uint32_t allLanes = 0xffffffffu;

struct WarpLogs {
  explicit WarpLogs(std::uint32_t limit) {
    for (unsigned i = 0; i < warpLanes; ++i) {
      lane[i].count = 0;
      lane[i].limit = limit;
      lane[i].skip = 0;
      lane[i].carry = 0;
      lane[i].values = values[i];
      head[i] = 0;
    }
  }
  WarpLogs(const WarpLogs&) = delete;
  WarpLogs& operator=(const WarpLogs&) = delete;

  LaneLog lane[warpLanes];
  std::uint32_t head[warpLanes];  ///< first entry not merged yet
  unsigned char values[warpLanes][laneLogEntries * format::maxValueBytes];
};

/// Lowest lane of a non-empty set.
inline unsigned firstLane(std::uint32_t lanes) {
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

}  // namespace cui::cpu
