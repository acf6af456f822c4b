// Device side, the general way of recording: lanes from several sites or spaces, addresses that follow no
// rule, values, new chunks, a pool that is used up. What recorder.h's short way does not take comes here.
//
// Registers are what this must save: a kernel has as many as the hungriest function that it may call, and
// with more of them fewer warps run at a time, also while nothing is recorded. So an access is kept in local
// memory, and each step is a function of its own.
#pragma once

#include "cuinstrument/backend/cuda/progress.h"

namespace cui {
namespace backend {

/// The parts of a header that are the record's own; the rest can be read from the thread itself.
struct RecordHead {
  unsigned long long address;
  unsigned int maskWord;  ///< as in the record: active mask, or the rows' stride
  unsigned int site;
  unsigned int shape;  ///< warpAndBytes without the warp, flags << 16
  int stride;
};
static __device__ __forceinline__ unsigned int makeShape(unsigned int bytes, format::AddressForm form,
                                                         format::Space space, bool hasValues) {
  return format::makeWarpAndBytes(0, bytes) |
         static_cast<unsigned int>(format::makeFlags(format::RecordType::access, form, space, hasValues))
             << 16;
}
static __device__ __forceinline__ unsigned char flagsOf(unsigned int shape) {
  return static_cast<unsigned char>(shape >> 16);
}
static __device__ __forceinline__ unsigned int bytesOf(unsigned int shape) {
  return (shape & 0xffffu) >> 5;
}

static __device__ __forceinline__ format::WarpRecord accessHeader(const RecordHead& head, unsigned int launch,
                                                                  unsigned int tag) {
  format::WarpRecord record;
  record.address = head.address;
  record.activeMask = head.maskWord;
  record.warpAndBytes = static_cast<unsigned short>(head.shape | (linearThread() / 32 & 31u));
  record.flags = flagsOf(head.shape);
  record.generationA = static_cast<unsigned char>(tag);
  record.siteAndGeneration = head.site | tag << 24;
  record.launch = launch;
  record.block = blockOfProgram();
  record.stride = head.stride;
  return record;
}

/// An access under way, in each lane's local memory. Everything but `address`, `bytes`, `key` and `value` is
/// the same in all lanes of `mask`.
struct SavedAccess {
  DeviceContext* context;
  const void* value;  ///< null: not recorded
  unsigned long long address;
  unsigned int mask, remaining;
  unsigned int key, bytes;
  RecordHead head;
  unsigned int group;  ///< the lanes that the record is of
  // Where it goes: byte i is at slots + ((begin + i) & wrap).
  unsigned char* slots;  ///< null: nowhere
  unsigned long long begin, wrap;
  unsigned int tag;
  bool inRing;
};
static __device__ __forceinline__ volatile unsigned char* placeOf(const SavedAccess* saved,
                                                                  unsigned int byte) {
  return saved->slots + ((saved->begin + byte) & saved->wrap);
}

/// Takes `count` slots: of the pool if it has room, else, and in profile mode, of the ring.
CUI_OF_MODES
__device__ __noinline__ void takeSlots(SavedAccess* saved, unsigned int count) {
  const unsigned int leader = lowestLane(saved->group);
  if (compilesTrace) {
    tellProgress(saved->context, saved->mask, leader);
    const PoolPlace place = takePoolSlots(saved->context, saved->mask, leader, count);
    saved->slots = place.first;
    saved->begin = 0;
    saved->wrap = ~0ull;
    saved->tag = place.tag;
    saved->inRing = false;
    if (place.first != nullptr) return;
  }
  const unsigned long long ticket = reserveSlots(saved->context, saved->mask, leader, count);
  const DeviceContext* const context = saved->context;
  saved->slots = ticket == noTicket ? nullptr : context->slots;
  saved->begin = ticket * format::slotBytes;
  saved->wrap = context->slotCount * format::slotBytes - 1;
  saved->tag = lapTag(shapeOfRing(context), ticket);
  saved->inRing = true;
}

/// Writes the table of the group's offsets or addresses: lane i's at index i. Returns its size in bytes.
CUI_OF_MODES
__device__ __noinline__ unsigned int writeLaneTable(const SavedAccess* saved) {
  const format::AddressForm form = format::formOf(flagsOf(saved->head.shape));
  if (form != format::AddressForm::offsets32 && form != format::AddressForm::full64) return 0;
  const bool wide = form == format::AddressForm::full64;
  const unsigned int lane = laneIndex();
  const bool member = (saved->group >> lane & 1u) != 0;
  volatile unsigned char* const place = placeOf(saved, format::slotBytes + lane * (wide ? 8u : 4u));
  storeIf(member & !wide, place, static_cast<unsigned int>(saved->address - saved->head.address));
  storeIf(member & wide, place, saved->address);
  return wide ? 32 * 8 : 32 * 4;
}

/// Copies each lane's value, of 1 to 16 bytes, to byte lane * bytes of the values that start at `begin`.
CUI_OF_MODES
__device__ __noinline__ void writeValues(const SavedAccess* saved, unsigned int begin) {
  const unsigned int bytes = bytesOf(saved->head.shape);
  const unsigned int start = begin + laneIndex() * bytes;
  const bool member = (saved->group >> laneIndex() & 1u) != 0;
  // Lanes of another site or size read along: what can be read, not their own value.
  const unsigned char* const source = static_cast<const unsigned char*>(member ? saved->value : saved);
  const bool words = __all_sync(
      saved->mask, !member || (bytes % 4 == 0 && reinterpret_cast<unsigned long long>(source) % 4 == 0));
#pragma unroll 1
  for (unsigned int i = 0; i < bytes; i += words ? 4 : 1) {
    if (words)
      storeIf(member, placeOf(saved, start + i), *reinterpret_cast<const unsigned int*>(source + i));
    else
      storeByteIf(member, placeOf(saved, start + i), source[i]);
  }
}

CUI_OF_MODES
__device__ __noinline__ void writeAccessHeader(const SavedAccess* saved) {
  writeHeader(placeOf(saved, 0), laneIndex() == lowestLane(saved->group),
              accessHeader(saved->head, launchKey(), saved->tag));
}

CUI_OF_MODES
__device__ __noinline__ void countSaved(const SavedAccess* saved) {
  countAccess(saved->context, saved->mask, saved->group, saved->head.site);
}

/// Counts and writes the record of saved->group whose head is made.
CUI_OF_MODES
__device__ __noinline__ void emitSaved(SavedAccess* saved) {
  countSaved(saved);
  const unsigned int shape = saved->head.shape;
  takeSlots(saved, 1 + format::payloadSlots(flagsOf(shape), bytesOf(shape)));
  if (saved->slots == nullptr) return;
  const unsigned int table = writeLaneTable(saved);
  if (format::hasValues(flagsOf(saved->head.shape))) writeValues(saved, format::slotBytes + table);
  if (saved->inRing) {
    __threadfence_system();  // payload before header, for a reader on the host
    __syncwarp(saved->mask);
  }
  writeAccessHeader(saved);
}

/// A record without payload, which the short way has found no place for. Called by all lanes of `mask`.
CUI_OF_MODES
__device__ __noinline__ void emitAffine(DeviceContext* context, unsigned int mask, RecordHead head) {
  SavedAccess saved;
  saved.context = context;
  saved.mask = mask;
  saved.group = mask;
  saved.head = head;
  emitSaved(&saved);
}

/// The record of the lanes of saved->group, which agree on site and space.
CUI_OF_MODES
__device__ __noinline__ void recordGroup(SavedAccess* saved) {
  const unsigned int mask = saved->mask, group = saved->group;
  const unsigned int lane = laneIndex();
  const bool member = (group >> lane & 1u) != 0;
  const unsigned int leader = lowestLane(group);
  const unsigned int others = group & (group - 1);
  const unsigned int second = others != 0 ? lowestLane(others) : leader;
  const unsigned long long first = __shfl_sync(mask, saved->address, leader);
  const long long offset = static_cast<long long>(saved->address - first);

  // Affine if the two lowest lanes give a stride of 32 bits that all lanes follow.
  // 32 bits only: a 64-bit division would cost every kernel its registers. Farther lanes get full64.
  const long long distance = __shfl_sync(mask, offset, second);
  // Neighbours are so frequent that the division is worth its branch.
  int stride = static_cast<int>(distance);
  if (second - leader > 1) stride /= static_cast<int>(second - leader);
  const bool follows = !member || second == leader ||
                       (distance == static_cast<int>(distance) &&
                        offset == static_cast<long long>(stride) * static_cast<int>(lane - leader));
  format::AddressForm form = format::AddressForm::affine;
  if (!__all_sync(mask, follows)) {
    stride = 0;
    form = __all_sync(mask, !member || offset == static_cast<int>(offset)) ? format::AddressForm::offsets32
                                                                           : format::AddressForm::full64;
  }
  saved->head.address = first;
  saved->head.maskWord = group;
  saved->head.stride = stride;
  const unsigned int key = __shfl_sync(mask, saved->key, leader);
  saved->head.site = key >> keyShift;
  saved->head.shape =
      makeShape(__shfl_sync(mask, saved->bytes, leader), form, spaceOf(key), saved->value != nullptr);
  emitSaved(saved);
}

/// Records an access of the lanes of `mask`: one record for each site and space. Lanes from several sites can
/// have met here, and generic pointers can lead into several spaces.
template <int>
__device__ __noinline__ void recordGeneral(DeviceContext* context, unsigned int mask, unsigned int key,
                                           unsigned long long address, unsigned int bytes,
                                           const void* value) {
  SavedAccess saved;
  saved.context = context;
  saved.value = value;
  saved.address = address;
  saved.mask = mask;
  saved.remaining = mask;
  saved.key = key;
  saved.bytes = bytes;
  while (saved.remaining != 0) {
    const unsigned int leaders = __shfl_sync(saved.mask, saved.key, lowestLane(saved.remaining));
    saved.group = __ballot_sync(saved.mask, leaders == saved.key) & saved.remaining;
    saved.remaining = saved.remaining & ~saved.group;
    recordGroup(&saved);
  }
  __syncwarp(saved.mask);
}

/// A record that is not an access. Called by all lanes of `mask`. Entries take the ring: the host must know
/// the kernel before it meets its records.
template <int>
__device__ __noinline__ void recordFact(DeviceContext* context, unsigned int mask, format::RecordType type,
                                        unsigned int site, unsigned long long address, unsigned int size,
                                        unsigned int block, int number) {
  const unsigned int leader = lowestLane(mask);
  format::WarpRecord record;
  record.address = address;
  if (type == format::RecordType::kernelEntry)
    record.address = format::kernelAddress(static_cast<unsigned int>(address), nanoseconds());
  record.activeMask = size;
  record.warpAndBytes = 0;
  record.flags = format::makeFlags(type, format::AddressForm::affine, format::Space::shared, false);
  record.launch = launchKey();
  record.block = block;
  record.stride = number;
  record.siteAndGeneration = site;
  if (!compilesTrace || type == format::RecordType::kernelEntry)
    return writeAtOnce(context, mask, leader, record);
  tellProgress(context, mask, leader);
  writeMark(context, mask, leader, record);
}

}  // namespace backend
}  // namespace cui
