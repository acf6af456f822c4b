// What the recorder keeps in device memory: one DeviceContext per device, one DeviceUnit per unit and
// device. Plain data, written by the host side (device_setup.h) and used by the device side (recorder.h).
#pragma once

#include <cstddef>

#include "cuinstrument/backend/cuda/profile_state.h"
#include "cuinstrument/format/chunks.h"
#include "cuinstrument/format/lane_log.h"
#include "cuinstrument/format/record.h"
#include "cuinstrument/format/split_launch.h"

namespace cui {
namespace backend {

/// Whose totals an entry has. A zero key is a free entry of the open-addressing table. Entries are claimed by
/// taking the maximum of both words, which needs no atomic that returns a value (pool.h says why none is
/// wanted): where two keys met, `inverse` does not belong to `key`.
struct CounterKey {
  unsigned long long key;      ///< 1 | site << 1 | launch << 32
  unsigned long long inverse;  ///< ~key
};
/// One (launch, site) pair's totals, or a part of them.
struct CounterSums {
  unsigned long long requests;
  unsigned long long idleLanes;  ///< 32 a request less the lanes that took part; whole warps add nothing
};
constexpr unsigned log2CounterTableSize = 18;
constexpr unsigned counterTableSize = 1u << log2CounterTableSize;  ///< entries; 8 MiB
/// Apart, so that a multiprocessor keeps the keys in its cache, from where additions would drive them.
struct CounterTable {
  CounterKey keys[counterTableSize];
  CounterSums sums[counterTableSize];
};
static_assert(format::slotBytes == 32, "ring addresses are computed with shifts by 5");

constexpr unsigned counterProbes = 8;  ///< before an access is left uncounted (and that is counted)
/// A grid of some size counts in this many entries per site, by block: one address takes 1.35 G additions/s.
constexpr unsigned counterReplicas = 16;

// The pool is divided into units. A chunk is one unit, or four if it is lane 0's, which leads most records.
// Each lane of each warp slot has a first chunk for good: those of lane 0, then lane by lane. Kernels that
// write a sample's records themselves (in_place.h) have larger ones.
constexpr unsigned unitBytes = 1024;
constexpr unsigned unitSlots = unitBytes / format::slotBytes;
constexpr unsigned laneZeroUnits = 4;
constexpr unsigned largeUnits = 16;  ///< four times as many of lane 0's
constexpr unsigned firstUnitsPerWarp = laneZeroUnits + 31;
/// Of a warp of a sample's blocks (lane_log.h).
CUI_FORMAT_HD constexpr unsigned logUnits(bool isLong) {
  return format::logBytes(isLong) / unitBytes;
}
static_assert(format::logBytes(true) % unitBytes == 0 && format::logBytes(false) % unitBytes == 0 &&
                  unitBytes % format::logRowBytes == 0,
              "a log is so much of the pool");

/// Where a lane's next record goes.
struct alignas(8) Cursor {
  unsigned int next;        ///< slot of the pool
  unsigned int roomAndLap;  ///< slots left in the chunk | tag of the pool's headers << 24
};
constexpr unsigned lapShift = 24;
/// Beside the room: the lane has passed something that its records do not tell yet (progress.h).
constexpr unsigned untoldBit = 1u << 23;
/// The chunk, of which `next` is the end, is in a kernel's registers (in_place.h): no room here.
constexpr unsigned heldBit = 1u << 22;
/// The chunk is a large one.
constexpr unsigned largeBit = 1u << 21;
CUI_FORMAT_HD constexpr unsigned roomOf(Cursor cursor) {
  return cursor.roomAndLap & (largeBit - 1);
}
CUI_FORMAT_HD constexpr bool isLarge(Cursor cursor) {
  return (cursor.roomAndLap & largeBit) != 0;
}
CUI_FORMAT_HD constexpr bool isHeld(Cursor cursor) {
  return (cursor.roomAndLap & heldBit) != 0;
}
CUI_FORMAT_HD constexpr bool isUntold(Cursor cursor) {
  return (cursor.roomAndLap & untoldBit) != 0;
}
CUI_FORMAT_HD constexpr unsigned lapOf(Cursor cursor) {
  return cursor.roomAndLap >> lapShift;
}

CUI_FORMAT_HD constexpr unsigned chunkUnits(unsigned lane) {
  return lane == 0 ? laneZeroUnits : 1;
}
/// Of the chunk that the lane's cursor is in, and how many slots of it are used.
CUI_FORMAT_HD constexpr unsigned unitsOf(Cursor cursor, unsigned lane) {
  return chunkUnits(lane) * (isLarge(cursor) ? largeUnits : 1);
}
CUI_FORMAT_HD constexpr unsigned firstUnitOf(Cursor cursor, unsigned lane) {
  return (cursor.next + roomOf(cursor)) / unitSlots - unitsOf(cursor, lane);
}
CUI_FORMAT_HD constexpr unsigned usedSlotsOf(Cursor cursor, unsigned lane) {
  return unitsOf(cursor, lane) * unitSlots - roomOf(cursor);
}
/// With less room than this a chunk is replaced while that does no harm.
CUI_FORMAT_HD constexpr unsigned roomWanted(unsigned lane) {
  return lane == 0 ? 32 : 16;
}
CUI_FORMAT_HD constexpr unsigned firstUnit(unsigned hardwareWarps, unsigned lane, unsigned warp) {
  return lane == 0 ? warp * laneZeroUnits : (laneZeroUnits - 1 + lane) * hardwareWarps + warp;
}

// Once the pool is used up lanes take chunks in the host's memory (host_chunks.h), all of one size. In a
// cursor their slots are those from hostSlot on.
constexpr unsigned hostSlot = 1u << 31;
constexpr unsigned hostChunkBytes = format::chunkSlots * format::slotBytes;
CUI_FORMAT_HD constexpr bool isOfHost(Cursor cursor) {
  return cursor.next >= hostSlot;
}
/// False where a lane has handed its chunk over and found no other.
CUI_FORMAT_HD constexpr bool hasHostChunk(Cursor cursor) {
  return isOfHost(cursor) && (cursor.next != hostSlot || roomOf(cursor) != 0);
}
CUI_FORMAT_HD constexpr unsigned hostChunkOf(Cursor cursor) {
  return (cursor.next - hostSlot + roomOf(cursor)) / format::chunkSlots - 1;
}

/// What the warp in a warp slot of the hardware has passed, as each of its lanes knows it.
struct alignas(16) Progress {
  unsigned int launch, block;  ///< whose it is; of another warp it means nothing
  unsigned int warpAndRun;     ///< warp in the block | metGrid | earlier runs of the grid << runShift
  unsigned int barriers;       ///< of the block
};

/// Some of the barriers were of all blocks: how many is behind the Progress of all warp slots, by slot and
/// lane.
constexpr unsigned metGrid = 1u << 5;
constexpr unsigned runShift = 6;
constexpr unsigned progressBytesPerLane = sizeof(Progress) + sizeof(unsigned int);

/// In how many warps a grid has begun its present run, and how many runs are over. There is a table only in
/// programs with graphs.
struct RunCount {
  unsigned long long key;  ///< 1 << 32 | launch; 0: free
  unsigned long long warpsAndRuns;
};
constexpr unsigned runCountShift = 40;
constexpr unsigned long long runUnit = 1ull << runCountShift;
constexpr unsigned log2RunTableSize = 18;
constexpr unsigned runTableSize = 1u << log2RunTableSize;  ///< entries; 4 MiB
constexpr unsigned runProbes = 8;                          ///< before a grid's runs are taken for one

/// Reservations of slots, on a line of their own: every record's leader reads and adds here.
struct alignas(128) RingCursor {
  unsigned long long tail;            ///< next ticket
  unsigned long long cachedConsumed;  ///< last value seen of the host's word; only grows
};

/// Chunks handed out, in units after the lanes' first ones; may pass the end.
struct alignas(128) PoolState {
  unsigned long long tail;
};

/// The chunks in the host's memory, as the device uses them. Words that many warps change at once are on
/// lines of their own. Tickets only grow.
struct alignas(128) HostChunks {
  long long available;  ///< free ones that the device knows of; for a moment less, where others ask in vain
  unsigned long long taken;                     ///< next ticket of the queue of free ones
  alignas(128) unsigned long long full;         ///< next ticket of the queue of those handed over
  alignas(128) unsigned long long cachedFreed;  ///< last value seen of the host's word
  unsigned long long stalledAt;  ///< 1 + the value of cachedFreed at which a wait was in vain; 0: none was
  unsigned int polling;          ///< 1 while one warp reads the host's word
  // The same as long as the device is set up.
  alignas(128) unsigned int count;  ///< 0: there are none
  unsigned int kept;                ///< that many are left to lane 0, which leads most records
  unsigned int log2QueueSize;       ///< of both queues
  volatile unsigned int* freeQueue;
  const volatile unsigned long long* freed;
  volatile unsigned long long* fullQueue;
};

/// Rarely written words.
struct alignas(128) RecorderState {
  unsigned long long dropped;          ///< records that found no space in time
  unsigned long long abandonedSlots;   ///< slots reserved and never written (see recorder.h)
  unsigned long long counterOverflow;  ///< accesses not in the counter table
  unsigned int polling;                ///< 1 while one lane reads the host's word
  unsigned int stalled;                ///< a wait timed out and no space has been seen since
};

/// What every access reads, the same as long as the device is set up. Each unit has a copy in constant
/// memory.
struct RecorderConstants {
  Cursor* cursors;  ///< [warp slots of the hardware][32]
  unsigned char* units;
  CounterTable* counters;
  Progress* progress;  ///< like `cursors`
  unsigned int warpsPerMultiprocessor;
  unsigned int sharedBegin;        ///< of the kernels' own in the shared window, behind what the system keeps
  unsigned int zero;               ///< 0: see classify()
  ProfileEntry* profile;           ///< [warp slots][planes][profileEntries]; null: not in profile mode
  ProfileLaneEntry* profileLanes;  ///< [warp slots][planes][32][profileLaneEntries]
  unsigned long long hostSlots;    ///< where slot 0 would be, if the host's chunks began at hostSlot
  const format::SplitTable* splits;  ///< for launches of samples' blocks; null: there are none
};

struct DeviceContext {
  RingCursor cursor;
  PoolState pool;
  HostChunks hostChunks;
  RecorderState state;
  RecorderConstants constants;
  unsigned int warpSampleLimit;  ///< for format::isSampled(), of warps
  ProfileSlots profileSlots;
  ProfileTable profile;
  // Constant while kernels run, too, but for the slower paths.
  unsigned char* slots;  ///< mapped host memory
  const volatile unsigned long long* consumed;
  unsigned long long slotCount;  ///< power of two
  /// Reserving is allowed while fewer slots than this are in use. The rest is for the warps that checked
  /// at the same time.
  unsigned long long reserveLimit;
  unsigned long long waitNs;
  unsigned int slotCountLog2;
  unsigned int firstPoolUnit;  ///< firstUnitsPerWarp * hardwareWarps
  unsigned int poolUnits;      ///< after the first chunks
  unsigned short* unitUsed;    ///< by a chunk's first unit: slots used, once it has been replaced
  unsigned int* newestLogs;    ///< [warpSlots]: rows of the pool (lane_log.h); null: there is no pool
  unsigned int warpSlots;      ///< of the hardware
  RunCount* runs;
  long long clockOffset;  ///< the host's clock less %globaltimer, ns; only where times are asked for
};

/// A block is recorded if its place in the order of samples is below DeviceUnit::recordedBlocks. Halved, so
/// that 0 there is none, and all is a number, too.
CUI_FORMAT_HD constexpr unsigned int blockOrder(unsigned int linearBlock) {
  return format::sampleOrder(linearBlock) >> 1;
}
/// `limit`: format::sampleLimit()'s.
CUI_FORMAT_HD constexpr unsigned int recordedBelow(unsigned int limit) {
  return (limit >> 1) + 1;
}
static_assert((~0u >> 1) < recordedBelow(format::sampleLimit(1)));
static_assert(recordedBelow(format::sampleLimit(1)) == format::allBlocks &&
                  recordedBelow(format::sampleLimit(2)) < format::allBlocks,
              "kernels that write records know it");

/// Where it is: programs may have all of the constant memory for themselves (cli/compile/nvcc_linking.cpp).
#if defined(CUI_STATE_IN_GLOBAL_MEMORY)
#define CUI_CONSTANT __device__
#else
#define CUI_CONSTANT __constant__
#endif

/// A unit's __constant__ state. Kernels ask it again and again, and it is written while they run
/// (setClosed()): what a record is made with stays, once it is there, for one that has begun when recording
/// is switched off.
struct DeviceUnit {
  DeviceContext* context;  ///< null until the unit is prepared
  unsigned int siteBase;
  unsigned int firstKey;  ///< siteBase << keyShift with mode bits
  unsigned int recordValues;
  /// Those whose blockOrder() is below this; 0: the unit does not record (yet, or now) on this device.
  unsigned int recordedBlocks;
  unsigned int notesBarriers;  ///< 0: nothing is recorded, or totals only
  unsigned int countsRuns;     ///< kernels may run again and again with one number: there are graphs
  RecorderConstants constants;
};
static_assert(offsetof(DeviceUnit, siteBase) == format::firstSiteAt &&
                  offsetof(DeviceUnit, firstKey) == format::firstKeyAt &&
                  offsetof(DeviceUnit, recordedBlocks) == format::recordedBlocksAt &&
                  offsetof(DeviceUnit, notesBarriers) == format::notesBarriersAt &&
                  offsetof(DeviceUnit, constants) + offsetof(RecorderConstants, zero) == format::zeroAt,
              "kernels beside others know them");
// Kernels that are launched for a sample alone find it there (cli/compile/split_prologue.h).
static_assert(offsetof(DeviceUnit, constants) + offsetof(RecorderConstants, splits) + 8 == sizeof(DeviceUnit),
              "the last of a unit's state");

/// The state of a unit that does not record, or not now.
CUI_FORMAT_HD constexpr DeviceUnit switchedOff(DeviceUnit unit) {
  unit.recordedBlocks = 0;
  unit.notesBarriers = 0;
  return unit;
}

}  // namespace backend
}  // namespace cui
