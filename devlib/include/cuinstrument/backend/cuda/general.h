// Device side, the general way of recording: lanes from several sites or spaces, addresses that follow no
// rule, values, new chunks, a pool that is used up. What recorder.h's short way does not take comes here.
#pragma once

#include "cuinstrument/backend/cuda/identity.h"

namespace cui {
namespace backend {

/// Where a record goes: consecutive slots of the pool, or tickets of the ring.
struct PoolTarget {
  unsigned char* first;
  __device__ __forceinline__ volatile unsigned char* at(unsigned int byte) const { return first + byte; }
  __device__ __forceinline__ unsigned int tag(const DeviceContext* of) const { return of->constants.poolLap; }
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

/// The parts of a header that are the record's own; the rest can be read from the thread itself. In few
/// words: it is handed from function to function in registers.
struct RecordHead {
  unsigned long long address;
  unsigned int maskWord;  ///< as in the record: active mask, or the rows' stride
  unsigned int site;
  unsigned int shape;  ///< warpAndBytes without the warp, flags << 16
  int stride;
};
static __device__ __forceinline__ unsigned int makeShape(unsigned int bytes, format::AddressForm form,
                                                         unsigned int space, bool hasValues) {
  return format::makeWarpAndBytes(0, bytes) |
         static_cast<unsigned int>(format::makeFlags(format::RecordType::access, form,
                                                     static_cast<format::Space>(space), hasValues))
             << 16;
}
static __device__ __forceinline__ unsigned char flagsOf(const RecordHead& head) {
  return static_cast<unsigned char>(head.shape >> 16);
}
static __device__ __forceinline__ unsigned int bytesOf(const RecordHead& head) {
  return (head.shape & 0xffffu) >> 5;
}
/// The lanes that a record is of.
static __device__ __forceinline__ unsigned int groupOf(const RecordHead& head) {
  return format::formOf(flagsOf(head)) == format::AddressForm::rows ? 0xffffffffu : head.maskWord;
}

static __device__ __forceinline__ format::WarpRecord accessHeader(const RecordHead& head, unsigned int launch,
                                                                  unsigned int tag) {
  format::WarpRecord record;
  record.address = head.address;
  record.activeMask = head.maskWord;
  record.warpAndBytes = static_cast<unsigned short>(head.shape | (linearThread() / 32 & 31u));
  record.flags = flagsOf(head);
  record.generationA = static_cast<unsigned char>(tag);
  record.siteAndGeneration = head.site | tag << 24;
  record.launch = launch;
  record.block = linearBlock();
  record.stride = head.stride;
  return record;
}

template <class Target>
static __device__ __forceinline__ void writeAccessHeader(const DeviceContext* context, const Target& target,
                                                         bool leads, const RecordHead& head) {
  writeHeader(target.at(0), leads, accessHeader(head, launchKey(), target.tag(context)));
}

/// A record without payload where the pool has no room for it.
template <int = 0>
__device__ __noinline__ void emitAffineToRing(DeviceContext* context, unsigned int mask, RecordHead head) {
  const unsigned long long ticket = reserveSlots(context, mask, lowestLane(groupOf(head)), 1);
  if (ticket != noTicket)
    writeAccessHeader(context, RingTarget{context, ticket}, laneIndex() == lowestLane(groupOf(head)), head);
}

/// A record without payload. Called by all lanes of `mask` with one head.
template <int = 0>
__device__ __noinline__ void emitAffine(DeviceContext* context, unsigned int mask, RecordHead head) {
  countAccess(context, mask, groupOf(head), head.site);
  unsigned char* slot = takePoolSlots(context, mask, lowestLane(groupOf(head)), 1);
  if (slot != nullptr)
    writeAccessHeader(context, PoolTarget{slot}, laneIndex() == lowestLane(groupOf(head)), head);
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
  unsigned int mask, remaining, space, bytes;
};
static __device__ __forceinline__ void saveHead(volatile RecordHead& saved, const RecordHead& head) {
  saved.address = head.address;
  saved.maskWord = head.maskWord;
  saved.site = head.site;
  saved.shape = head.shape;
  saved.stride = head.stride;
}
static __device__ __forceinline__ RecordHead loadHead(const volatile RecordHead& saved) {
  RecordHead head;
  head.address = saved.address;
  head.maskWord = saved.maskWord;
  head.site = saved.site;
  head.shape = saved.shape;
  head.stride = saved.stride;
  return head;
}

/// Payload and header of a record whose slots have been taken.
template <class Target>
static __device__ __forceinline__ void writeWithPayload(volatile SavedAccess& saved, const Target& target,
                                                        bool fence) {
  const unsigned char flags = static_cast<unsigned char>(saved.head.shape >> 16);
  const unsigned int group = saved.head.maskWord;  // no rows here
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
    writeValue(target, payload, saved.mask, (group >> laneIndex() & 1u) != 0,
               (saved.head.shape & 0xffffu) >> 5, const_cast<const void*>(saved.value));
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
      reserveSlots(saved->context, saved->mask, lowestLane(saved->head.maskWord), slots);
  if (ticket != noTicket) writeWithPayload(*saved, RingTarget{saved->context, ticket}, true);
}

/// A record with payload. `address` and `value` are each lane's own, used for the lanes of groupOf(head).
template <int = 0>
__device__ __noinline__ void emitPayload(DeviceContext* context, unsigned int mask, RecordHead head,
                                         unsigned long long address, const void* value) {
  volatile SavedAccess saved;
  saved.context = context;
  saved.value = value;
  saved.mask = mask;
  saved.address = address;
  saveHead(saved.head, head);
  countAccess(context, mask, groupOf(head), head.site);
  const unsigned int slots = 1 + format::payloadSlots(flagsOf(head), bytesOf(head));
  unsigned char* slot = takePoolSlots(saved.context, saved.mask, lowestLane(saved.head.maskWord), slots);
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
  head.maskWord = group;
  head.site = __shfl_sync(mask, site, leader);
  const unsigned int leadersBytes = __shfl_sync(mask, bytes, leader);
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
  head.shape = makeShape(leadersBytes, form, space, value != nullptr);
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
  saved.bytes = bytes;
  while (saved.remaining != 0) {
    const unsigned int first = lowestLane(saved.remaining);
    const unsigned int key = saved.head.site << 3 | saved.space;
    const unsigned int group =
        __ballot_sync(saved.mask, __shfl_sync(saved.mask, key, first) == key) & saved.remaining;
    saved.remaining = saved.remaining & ~group;
    LaneAddress lane;
    lane.address = saved.address;
    lane.space = saved.space;
    recordGroup(saved.context, saved.mask, group, saved.head.site, lane, saved.bytes,
                const_cast<const void*>(saved.value));
  }
  __syncwarp(saved.mask);
}

/// Records an access of the lanes of `mask`. What it calls in the end is called last, with nothing to keep.
template <int = 0>
__device__ __noinline__ void recordGeneral(DeviceContext* context, unsigned int mask, unsigned int site,
                                           const volatile void* pointer, unsigned int bytes,
                                           const void* value) {
  const LaneAddress own = classify(context->constants, pointer);
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
  record.launch = launchKey();
  record.block = block;
  record.stride = number;
  const bool leads = laneIndex() == leader;
  unsigned char* slot =
      type == format::RecordType::kernelEntry ? nullptr : takePoolSlots(context, mask, leader, 1);
  unsigned int tag = context->constants.poolLap;
  volatile unsigned char* target = slot;
  if (slot == nullptr) {
    const unsigned long long ticket = reserveSlots(context, mask, leader, 1);
    if (ticket == noTicket) return;
    tag = lapTag(context, ticket);
    target = slotAddress(context, ticket);
  }
  record.generationA = static_cast<unsigned char>(tag);
  record.siteAndGeneration = site | tag << 24;
  writeHeader(target, leads, record);
}

}  // namespace backend
}  // namespace cui
