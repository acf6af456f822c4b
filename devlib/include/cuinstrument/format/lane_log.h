// Where a sample's blocks write what they access (cli/compile/logged_lines.h): each lane by itself, in the
// order in which it does, so that nothing is asked of other lanes. hostlib puts the lanes' entries together
// (lane_logs.h). A log is a part of the pool; depends on record.h.
#pragma once

#include "cuinstrument/format/record.h"

namespace cui {
namespace format {

/// Rows of an entry for each lane, behind one that says whose they are. A warp's first log is a short one:
/// many have little to say.
constexpr unsigned logEntryBytes = 16, logRowBytes = 32 * logEntryBytes;
CUI_FORMAT_HD constexpr unsigned logRows(bool isLong) {
  return isLong ? 127 : 15;
}
CUI_FORMAT_HD constexpr unsigned logBytes(bool isLong) {
  return (1 + logRows(isLong)) * logRowBytes;
}

/// Where a lane goes on: the next row of the pool, whether its log is a long one, and how many are left in
/// it. 0: it has none. `logStep` more is one row on.
constexpr unsigned logLeftMask = 127, logIsLong = 128, logRowShift = 8, logStep = (1u << logRowShift) - 1;
static_assert(logRows(true) <= logLeftMask, "what is left has its bits");

/// An entry is four words: where (of two accesses of shared memory that the same lanes make one after the
/// other: where each is; else the address's halves), the lanes that came, and which access of the kernel
/// that is, of which launch. Of a pair it is the first; the second is the next.
constexpr unsigned logAccessBits = 5, logPair = 1u << logAccessBits, logLaunchShift = 8;
constexpr unsigned mostLoggedAccesses = 24;

/// A lane that has been here and has not left: its entries tell how many they are.
constexpr uint16_t logIsOpen = 0xffff;
/// In place of how many slots of a chunk are used: it is a log.
constexpr uint16_t longLogUsed = 0xffff, shortLogUsed = 0xfffe;
CUI_FORMAT_HD constexpr bool isLogUsed(uint16_t used) {
  return used >= shortLogUsed;
}

/// What an access of a kernel is: its key, beyond the unit's first one, and its bytes above that.
constexpr unsigned logAccessBytesShift = 32;

/// A log's first row.
struct LaneLog {
  uint32_t launch, block, warp, firstSite;
  uint16_t rows[32];  ///< that each lane has written
  uint32_t accessCount, isLong;
  uint32_t lap, padding;                  ///< the pool's
  uint64_t accesses[mostLoggedAccesses];  ///< what the kernel's are, by number
};
static_assert(sizeof(LaneLog) <= logRowBytes, "it is one row");
constexpr unsigned logLaneRowsAt = 16;

}  // namespace format
}  // namespace cui
