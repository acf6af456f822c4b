// Device side of a sample's blocks, in the module: where lanes write what they access (format/lane_log.h)
// in kernels that do so without asking other lanes (cli/compile/logged_lines.h).
#pragma once

#include "cuinstrument/backend/cuda/in_place.h"
#include "cuinstrument/format/lane_log.h"

#if defined(CUI_RECORDER_MODULE)
namespace cui {
namespace backend {

constexpr unsigned rowsOfUnit = unitBytes / format::logRowBytes;
/// Rows of the pool that can be told.
constexpr unsigned mostLogRows = 1u << (32 - format::logRowShift);

static __device__ __forceinline__ unsigned char* logAt(const DeviceUnit& unit, unsigned int row) {
  return constantsOf(unit).units + static_cast<unsigned long long>(row) * format::logRowBytes;
}
static __device__ __forceinline__ unsigned int* logWords(const DeviceUnit& unit, unsigned int row) {
  return reinterpret_cast<unsigned int*>(logAt(unit, row));
}
/// Words of a log's first row.
constexpr unsigned logRowsAt = offsetof(format::LaneLog, rows) / 4,
                   logAccessCountAt = offsetof(format::LaneLog, accessCount) / 4,
                   logIsLongAt = offsetof(format::LaneLog, isLong) / 4,
                   logLapAt = offsetof(format::LaneLog, lap) / 4,
                   logAccessesAt = offsetof(format::LaneLog, accesses) / 4;
static_assert(logRowsAt == format::logLaneRowsAt / 4, "hostlib knows it, too");
static __device__ __forceinline__ unsigned int loadLogWord(const unsigned int* word) {
  unsigned int value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
  return value;
}
static __device__ __forceinline__ void storeLogWordIf(bool active, unsigned int* word, unsigned int value) {
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.global.u32 [%0], %1;\n\t}" ::"l"(word),
               "r"(value), "r"(active ? 1u : 0u)
               : "memory");
}
/// Says how many rows of the log in that row of the pool the calling lane has written.
static __device__ __forceinline__ void storeRowsIf(bool active, const DeviceUnit& unit, unsigned int row,
                                                   unsigned int rows) {
  unsigned char* const ends = logAt(unit, row) + format::logLaneRowsAt;
  storeShortIf(active, reinterpret_cast<unsigned short*>(ends) + laneIndex(), rows);
}

static __device__ __forceinline__ unsigned int rowsWritten(unsigned int log) {
  return format::logRows((log & format::logIsLong) != 0) - (log & format::logLeftMask);
}
/// The row in front of those of the lane's log; 0: it has none.
static __device__ __forceinline__ unsigned int beginOfLog(unsigned int log) {
  return log == 0 ? 0 : (log >> format::logRowShift) - rowsWritten(log) - 1;
}
static __device__ __forceinline__ void leaveLogIf(bool leaves, const DeviceUnit& unit, unsigned int log) {
  storeRowsIf(leaves & (log != 0), unit, beginOfLog(log), rowsWritten(log));
}

/// A new log for the calling warp, as long as the pool has more than half of its units to give. Its row; 0:
/// there is none.
static __device__ __forceinline__ unsigned int makeLog(const DeviceUnit& unit, unsigned int mask,
                                                       const unsigned long long* accesses,
                                                       unsigned int accessCount, bool isLong) {
  DeviceContext* const context = contextOf(unit);
  if (__any_sync(mask, loadOwn(&context->pool.tail) + logUnits(true) > context->poolUnits / 2)) return 0;
  const unsigned int lane = laneIndex(), leader = lowestLane(mask);
  const unsigned long long first = addAsOne(mask, leader, &context->pool.tail, logUnits(isLong));
  if (first + logUnits(isLong) > context->poolUnits) return 0;
  const unsigned int begin = context->firstPoolUnit + static_cast<unsigned int>(first);
  const unsigned int row = begin * rowsOfUnit;
  if (row >= mostLogRows - logUnits(true) * rowsOfUnit) return 0;
  unsigned int* const words = logWords(unit, row);
  const unsigned int lanes = __popc(mask), rank = __popc(mask & ((1u << lane) - 1));
  // All lanes go round together: those that left would not come back before the next access.
#pragma unroll 1
  for (unsigned int i = 0; i < 16; i += lanes)
    storeLogWordIf(i + rank < 16, words + logRowsAt + (i + rank) % 16, 0);
#pragma unroll 1
  for (unsigned int i = 0; i < accessCount; i += lanes) {
    const bool has = i + rank < accessCount;
    const unsigned int at = has ? i + rank : 0;
    const unsigned long long access = accesses[at];
    storeLogWordIf(has, words + logAccessesAt + 2 * at, static_cast<unsigned int>(access));
    storeLogWordIf(has, words + logAccessesAt + 2 * at + 1, static_cast<unsigned int>(access >> 32));
  }
  storeLogWordIf(lane == leader, words, launchKey());
  storeLogWordIf(lane == leader, words + 1, blockOfProgram());
  storeLogWordIf(lane == leader, words + 2, linearThread() / 32);
  storeLogWordIf(lane == leader, words + 3, unit.siteBase);
  storeLogWordIf(lane == leader, words + logAccessCountAt, accessCount);
  storeLogWordIf(lane == leader, words + logIsLongAt, isLong ? 1 : 0);
  // In place of a fence, which takes 2.6 us: what an earlier log has left here is of another lap.
  storeLogWordIf(lane == leader, words + logLapAt, lapOf(loadCursor(ownCursor(constantsOf(unit)))));
  storeShortIf(lane == leader, context->unitUsed + begin,
               isLong ? format::longLogUsed : format::shortLogUsed);
  storeLogWordIf(lane == leader, context->newestLogs + hardwareWarp(constantsOf(unit)), row);
  __syncwarp(mask);
  return row;
}

/// The warp's newest log, if another part of it has made one that the calling lane has not been in.
static __device__ __forceinline__ unsigned int newestLog(const DeviceUnit& unit, unsigned int mask,
                                                         unsigned int log) {
  const unsigned int row = loadLogWord(contextOf(unit)->newestLogs + hardwareWarp(constantsOf(unit)));
  const bool isNewer = row > beginOfLog(log);
  if (!__any_sync(mask, isNewer)) return 0;
  const unsigned int* const words = logWords(unit, row);
  const bool own = (loadLogWord(words) == launchKey()) & (loadLogWord(words + 1) == blockOfProgram()) &
                   (loadLogWord(words + 2) == linearThread() / 32) &
                   (loadLogWord(words + 3) == unit.siteBase);
  return isNewer & own ? row : 0;
}

/// Where the calling lanes go on, of which some have less than `rows` left: in the warp's newest log, or in a
/// new one; where they were, all of them, if the pool has none to give. `accesses`: the kernel's. `counts`:
/// what the lane has counted at `sites` sites, behind which stand their keys (endInPlace()); full ones are
/// added and cleared.
CUI_OF_ANY_MODE
__device__ __noinline__ unsigned int logAnew(const DeviceUnit& unit, unsigned int log, unsigned int rows,
                                             const unsigned long long* accesses, unsigned int accessCount,
                                             unsigned int* counts, unsigned int sites) {
  const unsigned int mask = __activemask();
  if (contextOf(unit)->newestLogs == nullptr) return 0;  // there is no pool
  bool full = false;
#pragma unroll 1
  for (unsigned int i = 0; i < sites; ++i) full = full | (counts[i] >= format::fullCount / 2);
  if (__any_sync(mask, full)) {
    addCountsOfSites(unit, mask, counts, sites);
#pragma unroll 1
    for (unsigned int i = 0; i < sites; ++i) counts[i] = 0;
  }
  unsigned int row = newestLog(unit, mask, log);
  if (__any_sync(mask, ((log & format::logLeftMask) < rows) & (row == 0))) {
    row = makeLog(unit, mask, accesses, accessCount, __any_sync(mask, log != 0));
    if (row == 0) return log;  // of none: an entry says who came
  }
  // Also lanes that have room go on there, or each of a warp's would come here by itself.
  const bool moves = row != 0;
  leaveLogIf(moves, unit, log);
  storeRowsIf(moves, unit, row, format::logIsOpen);
  const bool isLong = loadLogWord(logWords(unit, row) + logIsLongAt) != 0;
  const unsigned int next = (row + 1) << format::logRowShift | (isLong ? format::logIsLong : 0);
  return moves ? next | format::logRows(isLong) : log;
}

/// Where the kernel ends for the calling lanes: endInPlace(), and their logs.
CUI_OF_ANY_MODE
__device__ __noinline__ void endLogged(const DeviceUnit& unit, unsigned long long held,
                                       const unsigned int* counts, unsigned int sites, unsigned int log) {
  const unsigned int mask = __activemask();
  leaveLogIf(true, unit, log);
  takeBack(unit, mask, ownCursor(constantsOf(unit)), held);
  addCountsOfSites(unit, mask, counts, sites);
}

}  // namespace backend
}  // namespace cui
#endif
