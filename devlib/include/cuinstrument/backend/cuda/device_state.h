// What the recorder keeps in device memory: one DeviceContext per device, one DeviceUnit per unit and
// device. Plain data, written by the host side (device_setup.h) and used by the device side (recorder.h).
#pragma once

#include <cstdint>

#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

/// One (launch, site) pair's totals, or a part of them. A zero key is a free entry of the open-addressing
/// table. Entries are claimed by taking the maximum of both words, which needs no atomic that returns a
/// value (pool.h says why none is wanted): where two keys met, `inverse` does not belong to `key`.
struct CounterEntry {
  unsigned long long key;      ///< 1 | site << 1 | launch << 32
  unsigned long long inverse;  ///< ~key
  unsigned long long requests;
  unsigned long long threadAccesses;
};
static_assert(format::slotBytes == 32, "ring addresses are computed with shifts by 5");

constexpr unsigned counterTableSize = 1u << 18;  ///< entries; 8 MiB
constexpr unsigned counterProbes = 8;            ///< before an access is left uncounted (and that is counted)
/// A big grid counts in this many entries per site, by multiprocessor: one address takes 1.35 G additions/s.
constexpr unsigned counterReplicas = 16;

// The pool is divided into units. A chunk is one unit, or four if it is lane 0's, which leads most records,
// and not its first: each lane of each warp slot has its first chunk for good, lane by lane.
constexpr unsigned unitBytes = 1024;
constexpr unsigned unitSlots = unitBytes / format::slotBytes;
constexpr unsigned laneZeroUnits = 4;

/// `chunk`: the upper half of a cursor: 1 + the chunk's unit, or 0 for the lane's first chunk. The lower half
/// is the number of slots used.
CUI_FORMAT_HD constexpr unsigned chunkSlots(unsigned lane, unsigned chunk) {
  return lane == 0 && chunk != 0 ? laneZeroUnits * unitSlots : unitSlots;
}
/// With less room than this a chunk is replaced while that does no harm.
CUI_FORMAT_HD constexpr unsigned roomWanted(unsigned lane, unsigned chunk) {
  return lane == 0 && chunk != 0 ? 32 : 16;
}
CUI_FORMAT_HD constexpr unsigned firstUnit(unsigned hardwareWarps, unsigned lane, unsigned warp) {
  return lane * hardwareWarps + warp;
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

struct DeviceContext {
  RingCursor cursor;
  PoolState pool;
  RecorderState state;
  // Constant while kernels run.
  unsigned char* slots;  ///< mapped host memory
  const volatile unsigned long long* consumed;
  CounterEntry* counters;
  unsigned long long slotCount;  ///< power of two
  /// Reserving is allowed while fewer slots than this are in use. The rest is for the warps that checked
  /// at the same time.
  unsigned long long reserveLimit;
  unsigned long long waitNs;
  unsigned int slotCountLog2;
  unsigned int siteCount;  ///< of all units, for counting
  unsigned int warpsPerMultiprocessor;
  unsigned int hardwareWarps;  ///< warp slots with chunks; 0: no pool
  unsigned int firstPoolUnit;  ///< 32 * hardwareWarps
  unsigned int poolUnits;      ///< after the first chunks
  unsigned int poolLap;        ///< tag of the pool's headers, 1 to 255: another one after each emptying
  unsigned char* units;
  unsigned long long* cursors;  ///< [hardwareWarps][32]
  unsigned char* unitUsed;      ///< by a chunk's first unit: slots used, once it has been replaced
};

/// A unit's __constant__ state. A null context: this unit does not record (yet) on this device.
struct DeviceUnit {
  DeviceContext* context;
  unsigned int siteBase;
  unsigned int recordValues;
};

}  // namespace backend
}  // namespace cui
