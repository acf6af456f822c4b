// Host side of the pool (pool.h): sets it up, and takes over the records that wait there.
//
// All calls here are made with the runtime's lock held and inside QuietCalls. What has been taken is noted
// per unit, so nothing need be reset between collections; the pool is emptied, so that its units are used
// again, only when nothing can be running.
#pragma once

#include <stdlib.h>

#include "cuinstrument/backend/cuda/device_memory.h"
#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/format/lane_log.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

constexpr std::size_t stagingBytes = 4u << 20;
constexpr int64_t collectIntervalNs = 50000000;  ///< between collections that nothing else calls for

inline void freePool(Device& device) {
  Pool& pool = device.pool;
  cudaFree(pool.units);
  cudaFree(pool.cursors);
  if (pool.pinned != nullptr) cudaFreeHost(pool.pinned);
  free(pool.taken);
  free(pool.open);
  pool = Pool();
}

inline std::size_t cursorBytes(const Pool& pool) {
  return std::size_t{pool.hardwareWarps} * 32 * sizeof(Cursor);
}

/// Gives every lane its first chunk, and clears unitUsed. Uses `pinned`.
inline bool resetCursors(Device& device) {
  const Pool& pool = device.pool;
  Cursor* const first = reinterpret_cast<Cursor*>(pool.pinned);
  for (unsigned int warp = 0; warp < pool.hardwareWarps; ++warp)
    for (unsigned int lane = 0; lane < 32; ++lane)
      first[warp * 32 + lane] = Cursor{firstUnit(pool.hardwareWarps, lane, warp) * unitSlots,
                                       chunkUnits(lane) * unitSlots | pool.lap << lapShift};
  return cudaMemcpyAsync(pool.cursors, first, cursorBytes(pool), cudaMemcpyHostToDevice, device.stream) ==
             cudaSuccess &&
         cudaMemsetAsync(pool.unitUsed, 0, pool.unitCount * sizeof *pool.unitUsed, device.stream) ==
             cudaSuccess;
}

/// Reserves the pool, or leaves the device without one: then all records take the ring. `hardwareWarps`:
/// warp slots of the device.
inline void setUpPool(Device& device, unsigned int hardwareWarps) {
  constexpr std::size_t most = std::size_t{hostSlot} * format::slotBytes;
  std::size_t bytes = cuiOptions()->poolBytes, available = 0, all = 0;
  if (bytes == 0 || cudaMemGetInfo(&available, &all) != cudaSuccess) return;
  if (bytes > available / 8) bytes = available / 8;
  if (bytes > most) bytes = most;
  const std::size_t firstUnits = std::size_t{hardwareWarps} * firstUnitsPerWarp;
  const std::size_t units = bytes / unitBytes;
  // A quarter more than what lies ready for the lanes, or chunks could hardly be replaced.
  if (units < firstUnits + firstUnits / 4) return;
  Pool& pool = device.pool;
  pool.lap = 1;
  pool.hardwareWarps = hardwareWarps;
  pool.firstUnits = static_cast<unsigned int>(firstUnits);
  pool.unitCount = static_cast<unsigned int>(units);
  const std::size_t usedBytes = (units + 1) / 2 * 2 * sizeof *pool.unitUsed;
  const std::size_t logsBytes = hardwareWarps * sizeof *pool.newestLogs;
  constexpr std::size_t alignment = 128;  // the staging buffers are behind a copy of it
  pool.stateBytes = (cursorBytes(pool) + usedBytes + logsBytes + alignment - 1) / alignment * alignment;
  if (cudaMalloc(reinterpret_cast<void**>(&pool.units), units * unitBytes) != cudaSuccess ||
      cudaMalloc(reinterpret_cast<void**>(&pool.cursors), pool.stateBytes) != cudaSuccess ||
      cudaMemsetAsync(pool.units, 0, units * unitBytes, device.stream) != cudaSuccess ||
      cudaHostAlloc(reinterpret_cast<void**>(&pool.pinned), pool.stateBytes + 2 * stagingBytes,
                    cudaHostAllocPortable) != cudaSuccess ||
      (pool.taken = static_cast<unsigned short*>(calloc(units, sizeof *pool.taken))) == nullptr ||
      (pool.open = static_cast<unsigned short*>(calloc(units, sizeof *pool.open))) == nullptr) {
    freePool(device);
    return;
  }
  pool.unitUsed =
      reinterpret_cast<unsigned short*>(reinterpret_cast<char*>(pool.cursors) + cursorBytes(pool));
  pool.newestLogs =
      reinterpret_cast<unsigned int*>(reinterpret_cast<char*>(pool.cursors) + cursorBytes(pool) + usedBytes);
  if (!resetCursors(device) || cudaMemsetAsync(pool.newestLogs, 0, logsBytes, device.stream) != cudaSuccess)
    return freePool(device);
  exportMemory(device, pool.units, units * unitBytes);
  exportMemory(device, pool.cursors, pool.stateBytes);
}

/// What may be running that records: what can be taken depends on it.
enum class Activity {
  none,     ///< nothing: all there is
  some,     ///< perhaps something: chunks that have been replaced, which are complete
  unknown,  ///< the program ends: also what the other chunks hold, as far as it has arrived
};

/// Slots of a unit that can be taken: [begin, end).
struct UnitPart {
  unsigned int unit, begin, end;
  bool check;             ///< they may not all have been written
  unsigned int logUnits;  ///< of a log of lanes (lane_log.h), which is taken whole; 0: these are records
};

/// Parts to take, gathered until their units fill the staging memory.
struct PoolBatch {
  static constexpr unsigned int capacity = stagingBytes / unitBytes;
  UnitPart parts[capacity];
  unsigned int partCount;
  unsigned int first, units;  ///< what is copied: a range of units
};

/// The end of the records that have been written, by their tags.
inline unsigned int writtenSlots(const char* unit, const UnitPart& part, unsigned int lap) {
  unsigned int slot = part.begin;
  while (slot < part.end) {
    format::WarpRecord record;
    __builtin_memcpy(&record, unit + slot * std::size_t{format::slotBytes}, sizeof record);
    if (record.generationA != lap || record.siteAndGeneration >> 24 != lap) break;
    slot += 1 + format::payloadSlots(record.flags, format::bytesOf(record));
  }
  return slot < part.end ? slot : part.end;
}

/// Hands the batch's logs to hostlib, as they lie one behind the other.
inline void submitLogs(Device& device, const PoolBatch& batch, const char* staging) {
  constexpr std::size_t slotsOfUnit = unitBytes / format::slotBytes;
  unsigned int begin = 0, end = 0;  // units
  const auto submit = [&] {
    if (begin != end)
      cuiSubmitLaneLogs(device.ring.device, staging + (begin - batch.first) * std::size_t{unitBytes},
                        (end - begin) * slotsOfUnit, 0);
  };
  for (unsigned int i = 0; i < batch.partCount; ++i) {
    const UnitPart& part = batch.parts[i];
    if (part.logUnits == 0) continue;
    format::LaneLog head;
    __builtin_memcpy(&head, staging + (part.unit - batch.first) * std::size_t{unitBytes}, sizeof head);
    if (head.lap != device.pool.lap) continue;  // its beginning has not arrived: the device has failed
    device.pool.taken[part.unit] = static_cast<unsigned short>(part.end);
    if (part.unit != end) {
      submit();
      begin = part.unit;
    }
    end = part.unit + part.logUnits;
  }
  submit();
}

/// Hands the batch's slots to hostlib, packed. They are in `staging`, from unit `first` on.
inline void submitBatch(Device& device, PoolBatch& batch, char* staging) {
  submitLogs(device, batch, staging);
  char* to = staging;
  for (unsigned int i = 0; i < batch.partCount; ++i) {
    const UnitPart& part = batch.parts[i];
    const char* unit = staging + (part.unit - batch.first) * std::size_t{unitBytes};
    if (part.logUnits != 0) continue;
    const unsigned int end = part.check ? writtenSlots(unit, part, device.pool.lap) : part.end;
    device.pool.taken[part.unit] = static_cast<unsigned short>(end);
    const std::size_t bytes = (end - part.begin) * std::size_t{format::slotBytes};
    __builtin_memmove(to, unit + part.begin * std::size_t{format::slotBytes}, bytes);
    to += bytes;
  }
  if (to != staging)
    cuiSubmitGrids(device.ring.device, staging, static_cast<std::size_t>(to - staging) / format::slotBytes);
}

/// Copies what is waiting, range by range: one is under way while the one before is handed on.
class PoolReader {
 public:
  explicit PoolReader(Device& device) : device_(device) {
    batches_ = static_cast<PoolBatch*>(calloc(2, sizeof(PoolBatch)));
  }
  ~PoolReader() { free(batches_); }
  PoolReader(const PoolReader&) = delete;
  PoolReader& operator=(const PoolReader&) = delete;

  /// Units must ascend from call to call. `units`: units the part may reach into.
  void add(const UnitPart& part, unsigned int units) {
    if (batches_ == nullptr) return;
    PoolBatch& batch = batches_[current_];
    const unsigned int end = part.unit + units;
    if (batch.partCount != 0 &&
        (end - batch.first > PoolBatch::capacity || part.unit > batch.first + batch.units + 16))
      turn();
    PoolBatch& target = batches_[current_];
    if (target.partCount == 0) target.first = part.unit;
    target.parts[target.partCount++] = part;
    target.units = end - target.first;
  }
  /// True if all has been handed on.
  bool finish() {
    turn();
    turn();
    return batches_ != nullptr && !failed_;
  }

 private:
  char* staging(unsigned int which) const {
    return device_.pool.pinned + device_.pool.stateBytes + which * stagingBytes;
  }
  /// Waits for the copy under way, starts the gathered one, then hands on the former.
  void turn() {
    if (batches_ == nullptr) return;
    const unsigned int before = current_ ^ 1u;
    if (batches_[before].partCount != 0 && !finishOwnStream(device_)) failed_ = true;
    PoolBatch& batch = batches_[current_];
    if (batch.partCount != 0 && !failed_ &&
        !copyFrom(device_, staging(current_), device_.pool.units + batch.first * std::size_t{unitBytes},
                  batch.units * std::size_t{unitBytes}))
      failed_ = true;
    if (batches_[before].partCount != 0 && !failed_) submitBatch(device_, batches_[before], staging(before));
    batches_[before].partCount = 0;
    current_ = before;
  }

  Device& device_;
  PoolBatch* batches_;
  unsigned int current_ = 0;
  bool failed_ = false;
};

/// Notes in pool.open how far each lane has filled its present chunk. Of one that is held (in_place.h) only
/// its records tell, unless it has been put back elsewhere.
inline void readCursors(Pool& pool, const Cursor* cursors, const unsigned short* used) {
  for (unsigned int warp = 0; warp < pool.hardwareWarps; ++warp)
    for (unsigned int lane = 0; lane < 32; ++lane) {
      const Cursor cursor = cursors[warp * 32 + lane];
      if (isOfHost(cursor)) continue;
      const unsigned int unit = firstUnitOf(cursor, lane);
      if (isHeld(cursor) && used[unit] != 0) continue;
      pool.open[unit] = static_cast<unsigned short>(usedSlotsOf(cursor, lane));
      pool.held = pool.held || isHeld(cursor);
    }
}

/// Takes the records that wait in the pool. `tail`: of the pool, just read. False if that did not work.
inline bool collectPool(Device& device, unsigned long long tail, Activity activity) {
  Pool& pool = device.pool;
  if (pool.units == nullptr) return true;
  device.collectedNs = cuiNow();
  const unsigned int rest = pool.unitCount - pool.firstUnits;
  const unsigned int end = pool.firstUnits + (tail < rest ? static_cast<unsigned int>(tail) : rest);
  const std::size_t usedBytes = end * sizeof *pool.unitUsed;
  if (!copyFrom(device, pool.pinned, pool.cursors, cursorBytes(pool) + usedBytes) || !finishOwnStream(device))
    return false;
  const unsigned short* used = reinterpret_cast<const unsigned short*>(pool.pinned + cursorBytes(pool));
  __builtin_memcpy(pool.open, used, usedBytes);
  pool.held = false;
  if (activity != Activity::some) readCursors(pool, reinterpret_cast<const Cursor*>(pool.pinned), used);
  PoolReader reader(device);
  bool hasLogs = false;
  for (unsigned int unit = 0; unit < end; ++unit) {
    if (pool.open[unit] <= pool.taken[unit]) continue;
    const bool isLog = format::isLogUsed(pool.open[unit]);
    if (isLog && activity == Activity::some) continue;  // lanes are at it
    hasLogs = hasLogs || isLog;
    const unsigned int ofLog = isLog ? logUnits(pool.open[unit] == format::longLogUsed) : 0;
    const UnitPart part = {
        unit, pool.taken[unit], pool.open[unit],
        (activity == Activity::unknown || pool.held) && (used[unit] == 0 || device.rescue != nullptr), ofLog};
    reader.add(part, isLog ? ofLog : (part.end + unitSlots - 1) / unitSlots);
  }
  const bool whole = reader.finish();
  if (hasLogs) cuiSubmitLaneLogs(device.ring.device, nullptr, 0, 1);
  return whole;
}

/// Makes the whole pool available again. Only when nothing that records can be running.
inline bool emptyPool(Device& device) {
  Pool& pool = device.pool;
  __builtin_memset(pool.taken, 0, pool.unitCount * sizeof *pool.taken);
  DeviceContext& copy = *device.contextCopy;
  copy.pool.tail = 0;
  pool.lap = pool.lap % 255 + 1;
  return resetCursors(device) &&
         cudaMemcpyAsync(&device.context->pool.tail, &copy.pool.tail, sizeof copy.pool.tail,
                         cudaMemcpyHostToDevice, device.stream) == cudaSuccess &&
         finishOwnStream(device);
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
