// What the recorder keeps in device memory: one DeviceContext per device, one DeviceUnit per unit and
// device. Plain data, written by the host side (device_setup.h) and used by the device side (recorder.h).
#pragma once

#include <cstdint>

#include "cuinstrument/format/record.h"

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
constexpr unsigned counterTableSize = 1u << 18;  ///< entries; 8 MiB
/// Apart, so that a multiprocessor keeps the keys in its cache, from where additions would drive them.
struct CounterTable {
  CounterKey keys[counterTableSize];
  CounterSums sums[counterTableSize];
};
static_assert(format::slotBytes == 32, "ring addresses are computed with shifts by 5");

constexpr unsigned counterProbes = 8;  ///< before an access is left uncounted (and that is counted)
/// A grid of some size counts in this many entries per site, by multiprocessor: one address takes 1.35 G
/// additions/s.
constexpr unsigned counterReplicas = 16;

// The pool is divided into units. A chunk is one unit, or four if it is lane 0's, which leads most records.
// Each lane of each warp slot has a first chunk for good: those of lane 0, then lane by lane.
constexpr unsigned unitBytes = 1024;
constexpr unsigned unitSlots = unitBytes / format::slotBytes;
constexpr unsigned laneZeroUnits = 4;
constexpr unsigned firstUnitsPerWarp = laneZeroUnits + 31;

/// Where a lane's next record goes.
struct alignas(8) Cursor {
  unsigned int next;  ///< slot of the pool
  unsigned int room;  ///< slots left in the chunk
};

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

/// Reservations of slots, on a line of their own: every record's leader reads and adds here.
struct alignas(128) RingCursor {
  unsigned long long tail;            ///< next ticket
  unsigned long long cachedConsumed;  ///< last value seen of the host's word; only grows
};

/// Chunks handed out, in units after the lanes' first ones; may pass the end.
struct alignas(128) PoolState {
  unsigned long long tail;
};

/// Rarely written words.
struct alignas(128) RecorderState {
  unsigned long long dropped;          ///< records that found no space in time
  unsigned long long abandonedSlots;   ///< slots reserved and never written (see recorder.h)
  unsigned long long counterOverflow;  ///< accesses not in the counter table
  unsigned int polling;                ///< 1 while one lane reads the host's word
  unsigned int stalled;                ///< a wait timed out and no space has been seen since
};

/// What every access reads: constant while kernels run, in two loads of 16 bytes and one more.
struct alignas(16) RecorderConstants {
  Cursor* cursors;  ///< [hardwareWarps][32], and one without room for warps beyond
  unsigned char* units;
  CounterTable* counters;
  unsigned int siteCount;  ///< of all units, for counting
  unsigned int poolLap;    ///< tag of the pool's headers, 1 to 255: another one after each emptying
  unsigned int warpsPerMultiprocessor;
  unsigned int hardwareWarps;  ///< warp slots with chunks; 0: no pool
  unsigned int sharedBegin;    ///< of the kernels' own in the shared window, behind what the system keeps
  unsigned int unused;
};

struct DeviceContext {
  RingCursor cursor;
  PoolState pool;
  RecorderState state;
  RecorderConstants constants;
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
  Cursor noRoom;               ///< all the cursors there are without a pool
};

/// A unit's __constant__ state. A null context: this unit does not record (yet, or now) on this device.
struct DeviceUnit {
  DeviceContext* context;
  unsigned int siteBase;
  unsigned int recordValues;
  unsigned int sampleLimit;  ///< for format::isSampled()
};

}  // namespace backend
}  // namespace cui
