// What the recorder keeps in device memory: one DeviceContext per device, one DeviceUnit per unit and
// device. Plain data, written by the host side (device_setup.h) and used by the device side (recorder.h).
#pragma once

#include <cstdint>

#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

/// One (launch, site) pair's totals. A zero key is a free entry of the open-addressing table.
struct CounterEntry {
  unsigned long long key;  ///< 1 | site << 1 | launch << 32
  unsigned long long requests;
  unsigned long long threadAccesses;
};
static_assert(format::slotBytes == 32, "ring addresses are computed with shifts by 5");

constexpr unsigned counterTableSize = 1u << 17;  ///< entries; 3 MiB
constexpr unsigned counterProbes = 64;           ///< before an access is left uncounted (and that is counted)

/// Reservations of slots, on a line of their own: every record's leader reads and adds here.
struct alignas(128) RingCursor {
  unsigned long long tail;            ///< next ticket
  unsigned long long cachedConsumed;  ///< last value seen of the host's word; only grows
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
};

/// A unit's __constant__ state. A null context: this unit does not record (yet) on this device.
struct DeviceUnit {
  DeviceContext* context;
  unsigned int siteBase;
  unsigned int recordValues;
};

}  // namespace backend
}  // namespace cui
