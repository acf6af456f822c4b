// Device side: turns what a warp does at one site into one record and puts it into the ring.
//
// The entry points are out of line: a kernel with hundreds of sites stays small, and the recorder's
// registers do not add to the kernel's own. The lanes that come in together stay together: see ring.h on
// why no leader branches away from its warp.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
#include "cuinstrument/backend/cuda/pool.h"
#include "cuinstrument/backend/cuda/ring.h"
#include "cuinstrument/format/record.h"

namespace cui {
namespace backend {

/// A lane's access as a record describes it.
struct LaneAddress {
  unsigned long long address;
  unsigned int space;
};

/// Shared addresses become offsets in the block's shared window, counted after what the system reserves,
/// so that they start at 0 as on the CPU backend.
static __device__ __forceinline__ unsigned int sharedOffset(const void* pointer) {
  unsigned int offset = static_cast<unsigned int>(__cvta_generic_to_shared(pointer));
#if __CUDA_ARCH__ >= 800
  // What the system keeps lies in front of the kernel's own (1 KiB on sm_90) or behind it.
  unsigned int begin, cap;
  asm("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(begin));
  asm("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(cap));
  if (begin == 0 && offset >= cap) offset -= cap;
#endif
  return offset;
}

static __device__ __forceinline__ LaneAddress classify(const volatile void* pointer) {
  const void* p = const_cast<const void*>(pointer);
  LaneAddress result;
  result.address = reinterpret_cast<unsigned long long>(p);
  format::Space space = format::Space::generic;  // another block's shared memory in a cluster
  if (__isShared(p)) {
    space = format::Space::shared;
    result.address = sharedOffset(p);
  } else if (__isLocal(p)) {
    space = format::Space::local;
  } else if (__isConstant(p) || __isGridConstant(p)) {
    space = format::Space::constant;
  } else if (__isGlobal(p)) {
    space = format::Space::global;
  }
  result.space = static_cast<unsigned int>(space);
  return result;
}

static __device__ __forceinline__ unsigned int launchKey() {
  unsigned long long grid;
  asm("mov.u64 %0, %%gridid;" : "=l"(grid));
  return static_cast<unsigned int>(grid);
}
static __device__ __forceinline__ unsigned int linearBlock() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
static __device__ __forceinline__ unsigned int linearThread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
/// The entry of `key`; null if there is no room (counted). A zero may be an old one from the cache, when
/// two launches' entries meet: then two keys share the entry, which the host sees by `inverse`.
template <int = 0>
__device__ __noinline__ CounterEntry* findCounter(DeviceContext* context, unsigned int mask,
                                                  unsigned int leader, unsigned long long key,
                                                  unsigned int slot) {
  const bool leads = laneIndex() == leader;
#pragma unroll 1
  for (unsigned int probe = 0; probe < counterProbes; ++probe) {
    CounterEntry* entry = context->counters + ((slot + probe) & (counterTableSize - 1));
    const unsigned long long found = __shfl_sync(mask, loadOwn(&entry->key), leader);
    if (found == 0) {
      raiseIf(leads, &entry->key, key);
      raiseIf(leads, &entry->inverse, ~key);
    }
    if (found == 0 || found == key) return entry;
  }
  addIf(leads, &context->state.counterOverflow, 1ull);
  return nullptr;
}

/// Counts an access in the device's table, which proves later that no record was lost. A launch's sites
/// have consecutive entries, and so have consecutive launches: neighbours in time do not meet.
static __device__ __forceinline__ void countAccess(DeviceContext* context, unsigned int mask,
                                                   unsigned int group, unsigned int site) {
  const unsigned int leader = lowestLane(group);
  const unsigned long long key =
      static_cast<unsigned long long>(launchKey()) << 32 | static_cast<unsigned long long>(site) << 1 | 1u;
  const unsigned int replica =
      gridDim.x * gridDim.y * gridDim.z >= counterReplicas * 64 ? multiprocessorIndex() % counterReplicas : 0;
  const unsigned int slot =
      launchKey() * context->siteCount + site + replica * (counterTableSize / counterReplicas);
  CounterEntry* entry = context->counters + (slot & (counterTableSize - 1));
  if (__any_sync(mask, loadOwn(&entry->key) != key)) entry = findCounter(context, mask, leader, key, slot);
  if (entry == nullptr) return;
  const bool leads = laneIndex() == leader;
  addIf(leads, &entry->requests, 1ull);
  addIf(leads, &entry->threadAccesses, static_cast<unsigned long long>(__popc(group)));
}

/// Where a record goes: consecutive slots of the pool, or tickets of the ring.
struct PoolTarget {
  unsigned char* first;
  __device__ __forceinline__ volatile unsigned char* at(unsigned int byte) const { return first + byte; }
  __device__ __forceinline__ unsigned int tag(const DeviceContext* of) const { return of->poolLap; }
};
struct RingTarget {
  const DeviceContext* context;
  unsigned long long ticket;
  __device__ __forceinline__ volatile unsigned char* at(unsigned int byte) const {
    return slotAddress(context, ticket + byte / format::slotBytes) + byte % format::slotBytes;
  }
  __device__ __forceinline__ unsigned int tag(const DeviceContext* of) const { return lapTag(of, ticket); }
};

/// Writes the 32 entries of a payload table at byte `begin`: lane i's `value` at index i, 0 for lanes not in
/// `group`.
template <class Word, class Target>
__device__ __noinline__ void writeLaneTable(Target target, unsigned int begin, unsigned int mask,
                                            unsigned int group, Word value) {
  const unsigned int lane = laneIndex();
  const unsigned int lanes = __popc(mask);
  const unsigned int rank = __popc(mask & ((1u << lane) - 1));
#pragma unroll 1
  for (unsigned int first = 0; first < 32; first += lanes) {
    const unsigned int index = first + rank;
    const bool taken = index < 32 && (group >> index & 1u) != 0;
    const Word entry = __shfl_sync(mask, value, taken ? index : lane);
    storeIf(index < 32, target.at(begin + (index & 31u) * static_cast<unsigned int>(sizeof(Word))),
            taken ? entry : Word(0));
  }
}

/// Copies `bytes` (1 to 16) from `source` to byte `lane * bytes` of the values that start at `begin`.
template <class Target>
__device__ __noinline__ void writeValue(Target target, unsigned int begin, unsigned int mask, bool member,
                                        unsigned int bytes, const void* source) {
  const unsigned int start = begin + laneIndex() * bytes;
  const bool words =
      __all_sync(mask, !member || (bytes % 4 == 0 && reinterpret_cast<unsigned long long>(source) % 4 == 0));
  const unsigned int step = words ? 4 : 1;
#pragma unroll 1
  for (unsigned int i = 0; i < bytes; i += step) {
    const unsigned char* from = static_cast<const unsigned char*>(source) + i;
    if (words)
      storeIf(member, target.at(start + i), *reinterpret_cast<const unsigned int*>(from));
    else
      storeByteIf(member, target.at(start + i), *from);
  }
}

/// The parts of a header that are the record's own; the rest can be read from the thread itself.
struct RecordHead {
  unsigned long long address;
  unsigned int group;  ///< active mask
  unsigned int site;
  unsigned int bytes;
  int stride;
  unsigned int flags;
};

template <class Target>
static __device__ __forceinline__ void writeAccessHeader(const DeviceContext* context, const Target& target,
                                                         bool leads, const RecordHead& head) {
  format::WarpRecord record;
  record.address = head.address;
  record.activeMask = head.group;
  record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, head.bytes);
  record.flags = static_cast<unsigned char>(head.flags);
  record.siteAndGeneration = head.site;
  record.launch = launchKey();
  record.block = linearBlock();
  record.stride = head.stride;
  writeHeader(target.at(0), target.tag(context), leads, record);
}

/// A record without payload where the pool has no room for it.
template <int = 0>
__device__ __noinline__ void emitAffineToRing(DeviceContext* context, unsigned int mask, RecordHead head) {
  const unsigned long long ticket = reserveSlots(context, mask, lowestLane(head.group), 1);
  if (ticket != noTicket)
    writeAccessHeader(context, RingTarget{context, ticket}, laneIndex() == lowestLane(head.group), head);
}

/// A record without payload. Called by all lanes of `mask` with one head.
template <int = 0>
__device__ __noinline__ void emitAffine(DeviceContext* context, unsigned int mask, RecordHead head) {
  countAccess(context, mask, head.group, head.site);
  unsigned char* slot = takePoolSlots(context, mask, lowestLane(head.group), 1);
  if (slot != nullptr)
    writeAccessHeader(context, PoolTarget{slot}, laneIndex() == lowestLane(head.group), head);
  else
    emitAffineToRing(context, mask, head);
}

/// What the slower paths keep across calls, in local memory: registers live across a call add up along the
/// chain of calls, and every kernel would have to have as many.
struct SavedAccess {
  DeviceContext* context;
  const void* value;
  unsigned long long address;
  RecordHead head;
  unsigned int mask, remaining, space;
};
static __device__ __forceinline__ void saveHead(volatile RecordHead& saved, const RecordHead& head) {
  saved.address = head.address;
  saved.group = head.group;
  saved.site = head.site;
  saved.bytes = head.bytes;
  saved.stride = head.stride;
  saved.flags = head.flags;
}
static __device__ __forceinline__ RecordHead loadHead(const volatile RecordHead& saved) {
  RecordHead head;
  head.address = saved.address;
  head.group = saved.group;
  head.site = saved.site;
  head.bytes = saved.bytes;
  head.stride = saved.stride;
  head.flags = saved.flags;
  return head;
}

/// Payload and header of a record whose slots have been taken.
template <class Target>
static __device__ __forceinline__ void writeWithPayload(volatile SavedAccess& saved, const Target& target,
                                                        bool fence) {
  const unsigned char flags = static_cast<unsigned char>(saved.head.flags);
  const unsigned int group = saved.head.group;
  unsigned int payload = format::slotBytes;
  if (format::formOf(flags) == format::AddressForm::offsets32) {
    writeLaneTable(target, payload, saved.mask, group,
                   static_cast<unsigned int>(saved.address - saved.head.address));
    payload += 32 * 4;
  } else if (format::formOf(flags) == format::AddressForm::full64) {
    writeLaneTable(target, payload, saved.mask, group, static_cast<unsigned long long>(saved.address));
    payload += 32 * 8;
  }
  if (format::hasValues(flags))
    writeValue(target, payload, saved.mask, (group >> laneIndex() & 1u) != 0, saved.head.bytes,
               const_cast<const void*>(saved.value));
  if (fence) {
    __threadfence_system();  // payload before header, for a reader on the host
    __syncwarp(saved.mask);
  }
  writeAccessHeader(saved.context, target, laneIndex() == lowestLane(group), loadHead(saved.head));
}

/// A record with payload where the pool has no room for it.
template <int = 0>
__device__ __noinline__ void emitPayloadToRing(volatile SavedAccess* saved, unsigned int slots) {
  const unsigned long long ticket =
      reserveSlots(saved->context, saved->mask, lowestLane(saved->head.group), slots);
  if (ticket != noTicket) writeWithPayload(*saved, RingTarget{saved->context, ticket}, true);
}

/// A record with payload. `address` and `value` are each lane's own, used for the lanes of head.group.
template <int = 0>
__device__ __noinline__ void emitPayload(DeviceContext* context, unsigned int mask, RecordHead head,
                                         unsigned long long address, const void* value) {
  volatile SavedAccess saved;
  saved.context = context;
  saved.value = value;
  saved.mask = mask;
  saved.address = address;
  saveHead(saved.head, head);
  countAccess(context, mask, head.group, head.site);
  const unsigned int slots =
      1 + format::payloadSlots(static_cast<unsigned char>(saved.head.flags), saved.head.bytes);
  unsigned char* slot = takePoolSlots(saved.context, saved.mask, lowestLane(saved.head.group), slots);
  if (slot != nullptr)
    writeWithPayload(saved, PoolTarget{slot}, false);
  else
    emitPayloadToRing(&saved, slots);
}

/// One record for the lanes of `group`, which agree on site and space; called by all lanes of `mask`.
static __device__ __forceinline__ void recordGroup(DeviceContext* context, unsigned int mask,
                                                   unsigned int group, unsigned int site, LaneAddress own,
                                                   unsigned int bytes, const void* value) {
  const unsigned int lane = laneIndex();
  const bool member = (group >> lane & 1u) != 0;
  const unsigned int leader = lowestLane(group);
  const unsigned int others = group & (group - 1);
  const unsigned int second = others != 0 ? lowestLane(others) : leader;
  RecordHead head;
  head.address = __shfl_sync(mask, own.address, leader);
  head.group = group;
  head.site = __shfl_sync(mask, site, leader);
  head.bytes = __shfl_sync(mask, bytes, leader);
  const unsigned int space = __shfl_sync(mask, own.space, leader);
  const long long offset = static_cast<long long>(own.address - head.address);

  // Affine if the two lowest lanes give a stride of 32 bits that all lanes follow.
  // 32 bits only: a 64-bit division would cost every kernel its registers. Farther lanes get full64.
  const long long distance = __shfl_sync(mask, offset, second);
  // Neighbours are so frequent that the division is worth its branch.
  head.stride = static_cast<int>(distance);
  if (second - leader > 1) head.stride /= static_cast<int>(second - leader);
  const bool follows = !member || second == leader ||
                       (distance == static_cast<int>(distance) &&
                        offset == static_cast<long long>(head.stride) * static_cast<int>(lane - leader));
  format::AddressForm form = format::AddressForm::affine;
  if (!__all_sync(mask, follows)) {
    head.stride = 0;
    form = __all_sync(mask, !member || offset == static_cast<int>(offset)) ? format::AddressForm::offsets32
                                                                           : format::AddressForm::full64;
  }
  head.flags = format::makeFlags(format::RecordType::access, form, static_cast<format::Space>(space),
                                 value != nullptr);
  if (form == format::AddressForm::affine && value == nullptr)
    emitAffine(context, mask, head);
  else
    emitPayload(context, mask, head, own.address, value);
}

/// Lanes that met here from different sites, or with generic pointers into different spaces: one record
/// for each (site, space).
template <int = 0>
__device__ __noinline__ void recordMixed(DeviceContext* context, unsigned int mask, unsigned int site,
                                         LaneAddress own, unsigned int bytes, const void* value) {
  volatile SavedAccess saved;
  saved.context = context;
  saved.value = value;
  saved.address = own.address;
  saved.space = own.space;
  saved.mask = mask;
  saved.remaining = mask;
  saved.head.site = site;
  saved.head.bytes = bytes;
  while (saved.remaining != 0) {
    const unsigned int first = lowestLane(saved.remaining);
    const unsigned int key = saved.head.site << 3 | saved.space;
    const unsigned int group =
        __ballot_sync(saved.mask, __shfl_sync(saved.mask, key, first) == key) & saved.remaining;
    saved.remaining = saved.remaining & ~group;
    LaneAddress lane;
    lane.address = saved.address;
    lane.space = saved.space;
    recordGroup(saved.context, saved.mask, group, saved.head.site, lane, saved.head.bytes,
                const_cast<const void*>(saved.value));
  }
  __syncwarp(saved.mask);
}

/// Records an access of the calling lanes. `value`: where the value lies, or null. A template only so
/// that several units may define it. What it calls in the end is called last, with nothing to keep.
template <int = 0>
__device__ __noinline__ void recordWarp(DeviceContext* context, unsigned int site,
                                        const volatile void* pointer, unsigned int bytes, const void* value) {
  const unsigned int mask = __activemask();
  const LaneAddress own = classify(pointer);
  const unsigned int key = site << 3 | own.space;
  if (__all_sync(mask, __shfl_sync(mask, key, lowestLane(mask)) == key))
    recordGroup(context, mask, mask, site, own, bytes, value);
  else
    recordMixed(context, mask, site, own, bytes, value);
}

/// A record that is not an access. Called by all lanes of `mask`. Entries take the ring: the host must know
/// the kernel before it meets its records.
template <int = 0>
__device__ __noinline__ void recordFact(DeviceContext* context, unsigned int mask, format::RecordType type,
                                        unsigned int site, unsigned long long address, unsigned int size,
                                        unsigned int block, int number) {
  const unsigned int leader = lowestLane(mask);
  format::WarpRecord record;
  record.address = address;
  record.activeMask = size;
  record.warpAndBytes = 0;
  record.flags = format::makeFlags(type, format::AddressForm::affine, format::Space::shared, false);
  record.siteAndGeneration = site;
  record.launch = launchKey();
  record.block = block;
  record.stride = number;
  const bool leads = laneIndex() == leader;
  unsigned char* slot =
      type == format::RecordType::kernelEntry ? nullptr : takePoolSlots(context, mask, leader, 1);
  if (slot != nullptr) return writeHeader(slot, context->poolLap, leads, record);
  const unsigned long long ticket = reserveSlots(context, mask, leader, 1);
  if (ticket != noTicket) writeHeader(slotAddress(context, ticket), lapTag(context, ticket), leads, record);
}

}  // namespace backend
}  // namespace cui
