// What the recorder keeps in device memory: one DeviceContext per device, one DeviceUnit per unit and
// device. Plain data, written by the host side (device_setup.h) and used by the device side (recorder.h).
#pragma once

#include <cstddef>

#include "cuinstrument/format/chunks.h"
#include "cuinstrument/format/profile.h"
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
// Each lane of each warp slot has a first chunk for good: those of lane 0, then lane by lane.
constexpr unsigned unitBytes = 1024;
constexpr unsigned unitSlots = unitBytes / format::slotBytes;
constexpr unsigned laneZeroUnits = 4;
constexpr unsigned firstUnitsPerWarp = laneZeroUnits + 31;

/// Where a lane's next record goes.
struct alignas(8) Cursor {
  unsigned int next;        ///< slot of the pool
  unsigned int roomAndLap;  ///< slots left in the chunk | tag of the pool's headers << 24
};
constexpr unsigned lapShift = 24;
/// Beside the room: the lane has passed something that its records do not tell yet (progress.h).
constexpr unsigned untoldBit = 1u << 23;
CUI_FORMAT_HD constexpr unsigned roomOf(Cursor cursor) {
  return cursor.roomAndLap & (untoldBit - 1);
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

using format::ProfileSums;

/// ProfileSums of accesses of whole warps in one of the hardware's warp slots, with its key in place of
/// idleLanes (always 0), in front. Additions need no atomic operation there, and nothing is contended for:
/// only one warp is in the slot, and it is in one place. Sites that share an entry drive each other out, into
/// the table.
struct alignas(64) ProfileEntry {
  unsigned long long key;  ///< profileKey(); 0: none
  unsigned long long requests;
  unsigned long long bytes, excess;
  unsigned long long idealDelta, uselessBytes;
  unsigned long long high, inverseLow;
};
// Several planes of them, of which the host looks at those that are in use: few kernels have more sites than
// one plane has entries, and where sites share one each access drives the other's out.
constexpr unsigned profilePlanes = 4;
constexpr unsigned profileEntries = 16;  ///< of a warp slot, in a plane
/// Likewise of accesses of a part of a warp, by its lowest lane, which is in one place, too. In halves of
/// words, and addresses as their distances from where they can begin: three loads have all of it. It goes to
/// the table before one of them is too small.
struct alignas(64) ProfileLaneEntry {
  unsigned long long key;  ///< profileKey(); 0: none
  unsigned int requests, idleLanes;
  unsigned int bytes, excess;
  int idealDelta;
  unsigned int uselessBytes;
  unsigned long long window;       ///< the address whose distance is 0
  unsigned int nearest, farthest;  ///< distances of the first byte and of the last
};
constexpr unsigned profileLaneEntries = 4;  ///< of a lane, in a plane
/// As many fit in the entries of lanes.
constexpr unsigned profileLaneRequests = 1u << 16;
/// In the place of such an entry: of aligned accesses without a rule, of whole warps and of parts, all of one
/// size (profile_aligned.h). Two loads have all of it, one store what an access changes. What they cost is
/// kept as it is asked for, two numbers of at most 32 in each word: it becomes ProfileSums where it is moved.
struct alignas(64) ProfileTeamEntry {
  unsigned long long key;         ///< teamKey()
  unsigned long long low;         ///< the lowest address
  unsigned int span;              ///< the highest address's distance from there
  unsigned int requestsAndBytes;  ///< requests | bytes of each lane << 16
  unsigned int costs;             ///< sectors, of shared memory wavefronts | the fewest there could be << 16
  unsigned int places;            ///< different ones, of memory that has sectors | lanes << 16
};
constexpr unsigned profileTeamRequests = 2047;  ///< as many fit

/// What an access carries: site << keyShift | space, in which all lanes of a record agree, and above them the
/// mode, which what each access has anyway thus tells, too.
constexpr unsigned int keyShift = 3;
constexpr unsigned int profileBit = 1u << 31;
constexpr unsigned int warpSampleBit = 1u << 30;  ///< not all warps are recorded
/// Records tell their times. Always with warpSampleBit, so that what is short for that is long for this.
constexpr unsigned int timeBit = 1u << 29;
constexpr unsigned int modeBits = profileBit | warpSampleBit | timeBit;

CUI_FORMAT_HD constexpr unsigned long long profileKey(unsigned launch, unsigned site, bool shared) {
  return static_cast<unsigned long long>(launch) << 32 | site << 2 | (shared ? 2u : 0u) | 1u;
}
/// In the place of a profileKey() of a warp slot's entry: what whole warps access there has followed no rule,
/// and was added to the entry of a team. So the next access is not looked at for rules first.
constexpr unsigned int rulelessBit = 1u << 29;
static_assert((rulelessBit & modeBits) != 0, "siteOf() leaves it out");
CUI_FORMAT_HD constexpr unsigned long long rulelessKey(unsigned launch, unsigned site, bool shared) {
  return profileKey(launch, site, shared) | rulelessBit;
}
/// Of an access with this key, whose mode no profileKey() has.
CUI_FORMAT_HD constexpr unsigned long long teamKey(unsigned launch, unsigned accessKey) {
  return static_cast<unsigned long long>(launch) << 32 | accessKey | profileBit;
}
CUI_FORMAT_HD constexpr bool isTeamKey(unsigned long long key) {
  return (key & profileBit) != 0;
}
// The parts of either.
CUI_FORMAT_HD constexpr unsigned launchOf(unsigned long long key) {
  return static_cast<unsigned>(key >> 32);
}
CUI_FORMAT_HD constexpr unsigned siteOf(unsigned long long key) {
  return (static_cast<unsigned>(key) & ~modeBits) >> (isTeamKey(key) ? keyShift : 2);
}
CUI_FORMAT_HD constexpr bool isShared(unsigned long long key) {
  constexpr unsigned space = static_cast<unsigned>(format::Space::shared);
  return isTeamKey(key) ? (key & ((1u << keyShift) - 1)) == space : (key & 2u) != 0;
}

/// What an entry holds.
CUI_FORMAT_HD constexpr ProfileSums sumsOf(const ProfileEntry& entry) {
  return {entry.requests,   entry.bytes,        entry.excess, 0,
          entry.idealDelta, entry.uselessBytes, entry.high,   entry.inverseLow};
}
CUI_FORMAT_HD constexpr ProfileSums sumsOf(const ProfileTeamEntry& entry) {
  const unsigned requests = entry.requestsAndBytes & 0xffffu, bytes = entry.requestsAndBytes >> 16;
  const unsigned cost = entry.costs & 0xffffu, least = entry.costs >> 16;
  const unsigned lanes = entry.places >> 16, all = lanes * bytes;
  const bool shared = isShared(entry.key);
  return {requests,
          all,
          cost - least,
          32 * requests - lanes,
          shared ? 0 : static_cast<unsigned long long>(static_cast<long long>(32 * least) - all),
          shared ? 0 : all - (entry.places & 0xffffu) * bytes,
          entry.low + entry.span + bytes - 1,
          ~entry.low};
}
/// Of either kind.
CUI_FORMAT_HD constexpr ProfileSums sumsOf(const ProfileLaneEntry& entry) {
  if (isTeamKey(entry.key))
    return sumsOf(ProfileTeamEntry{
        entry.key, static_cast<unsigned long long>(entry.idleLanes) << 32 | entry.requests, entry.bytes,
        entry.excess, static_cast<unsigned>(entry.idealDelta), entry.uselessBytes});
  return {entry.requests,
          entry.bytes,
          entry.excess,
          entry.idleLanes,
          static_cast<unsigned long long>(static_cast<long long>(entry.idealDelta)),
          entry.uselessBytes,
          entry.window + entry.farthest,
          ~(entry.window + entry.nearest)};
}
static_assert(offsetof(ProfileTeamEntry, low) == offsetof(ProfileLaneEntry, requests) &&
                  offsetof(ProfileTeamEntry, span) == offsetof(ProfileLaneEntry, bytes) &&
                  offsetof(ProfileTeamEntry, costs) == offsetof(ProfileLaneEntry, idealDelta) &&
                  sizeof(ProfileTeamEntry) == sizeof(ProfileLaneEntry),
              "one lies in the place of the other");

/// Beside RecorderConstants::profile.
struct alignas(16) ProfileSlots {
  unsigned char* lanesUsed;   ///< [warp slots][planes]: whether its profileLanes hold anything
  unsigned char* planesUsed;  ///< [planes]: whether any warp slot's entries there do; behind lanesUsed
};
/// Which launch has used a replica of a row: 2^32 | launch and 2^32 | ~launch, or the maxima of several,
/// which then do not belong together.
struct ProfileOwner {
  unsigned long long launch, inverse;
};
/// The sums of launches: [rows][replicas][siteCount][2]. A launch's row is its number modulo rows. Large
/// grids are spread over the replicas, by multiprocessor: one address takes 1.35 G additions/s.
struct alignas(16) ProfileTable {
  ProfileSums* sums;
  ProfileOwner* owners;  ///< [rows][replicas]
  unsigned char* used;   ///< [rows][siteCount]
  unsigned int siteCount;
  unsigned int rowMask;      ///< rows - 1; rows is a power of two
  unsigned int replicaMask;  ///< replicas - 1; likewise
  unsigned int unused;
};

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
  unsigned char* unitUsed;     ///< by a chunk's first unit: slots used, once it has been replaced
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
