// Device side: turns what a warp does at one site into one record and puts it into the ring.
//
// The entry points are out of line: a kernel with hundreds of sites stays small, and the recorder's
// registers do not add to the kernel's own. Every path ends with the lanes that came in together being
// together again (__syncwarp), or the next __activemask() would split the warp for good.
#pragma once

#include "cuinstrument/backend/cuda/device_state.h"
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
  unsigned int begin, end;
  asm("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(begin));
  asm("mov.u32 %0, %%reserved_smem_offset_end;" : "=r"(end));
  if (begin == 0 && offset >= end) offset -= end;
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
static __device__ __forceinline__ unsigned int laneIndex() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

/// Counts an access in the device's table, which proves later that no record was lost.
template <int = 0>
__device__ __noinline__ void countAccess(DeviceContext* context, unsigned int site, unsigned int lanes) {
  const unsigned int launch = launchKey();
  const unsigned long long key =
      static_cast<unsigned long long>(launch) << 32 | static_cast<unsigned long long>(site) << 1 | 1u;
  unsigned int slot = static_cast<unsigned int>((key * 0x9e3779b97f4a7c15ull) >> 40);
  for (unsigned int probe = 0; probe < counterProbes; ++probe, ++slot) {
    CounterEntry* entry = context->counters + (slot & (counterTableSize - 1));
    unsigned long long found = *const_cast<volatile unsigned long long*>(&entry->key);
    if (found == 0) found = atomicCAS(&entry->key, 0ull, key);
    if (found == 0 || found == key) {
      atomicAdd(&entry->requests, 1ull);
      atomicAdd(&entry->threadAccesses, static_cast<unsigned long long>(lanes));
      return;
    }
  }
  atomicAdd(&context->state.counterOverflow, 1ull);
}

/// Writes the 32 entries of a payload table: lane i's `value` at index i, 0 for lanes not in `group`.
template <class Word>
static __device__ __forceinline__ void writeLaneTable(DeviceContext* context, unsigned long long ticket,
                                                      unsigned int group, unsigned int lane, Word value) {
  constexpr unsigned int perSlot = format::slotBytes / sizeof(Word);
  const unsigned int lanes = __popc(group);
  const unsigned int rank = __popc(group & ((1u << lane) - 1));
  for (unsigned int first = 0; first < 32; first += lanes) {
    const unsigned int index = first + rank;
    const bool taken = index < 32 && (group >> index & 1u) != 0;
    const Word entry = __shfl_sync(group, value, taken ? index : lane);
    if (index < 32) {
      volatile Word* slot = reinterpret_cast<volatile Word*>(slotAddress(context, ticket + index / perSlot));
      slot[index % perSlot] = taken ? entry : Word(0);
    }
  }
}

/// Copies `bytes` (1 to 16) from `source` to byte `lane * bytes` of the values that start at `ticket`.
static __device__ __forceinline__ void writeValue(DeviceContext* context, unsigned long long ticket,
                                                  unsigned int lane, unsigned int bytes, const void* source) {
  const unsigned int start = lane * bytes;
  if (bytes % 4 == 0 && reinterpret_cast<unsigned long long>(source) % 4 == 0) {
    const unsigned int* words = static_cast<const unsigned int*>(source);
    for (unsigned int i = 0; i < bytes; i += 4) {
      volatile unsigned char* slot = slotAddress(context, ticket + (start + i) / format::slotBytes);
      *reinterpret_cast<volatile unsigned int*>(slot + (start + i) % format::slotBytes) = words[i / 4];
    }
  } else {
    const unsigned char* source8 = static_cast<const unsigned char*>(source);
    for (unsigned int i = 0; i < bytes; ++i) {
      volatile unsigned char* slot = slotAddress(context, ticket + (start + i) / format::slotBytes);
      slot[(start + i) % format::slotBytes] = source8[i];
    }
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

static __device__ __forceinline__ void writeAccessHeader(const DeviceContext* context,
                                                         unsigned long long ticket, const RecordHead& head) {
  format::WarpRecord record;
  record.address = head.address;
  record.activeMask = head.group;
  record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, head.bytes);
  record.flags = static_cast<unsigned char>(head.flags);
  record.siteAndGeneration = head.site;
  record.launch = launchKey();
  record.block = linearBlock();
  record.stride = head.stride;
  writeHeader(context, ticket, record);
}

/// A record without payload. Called by the leader alone.
template <int = 0>
__device__ __noinline__ void emitAffine(DeviceContext* context, RecordHead head) {
  countAccess(context, head.site, static_cast<unsigned int>(__popc(head.group)));
  const unsigned long long ticket = reserveSlots(context, 1);
  if (ticket != noTicket) writeAccessHeader(context, ticket, head);
}

/// A record with payload. Called by all lanes of the group; `address` and `value` are each lane's own.
template <int = 0>
__device__ __noinline__ void emitPayload(DeviceContext* context, RecordHead head, unsigned long long address,
                                         const void* value) {
  const unsigned int lane = laneIndex();
  const unsigned int group = head.group;
  const unsigned int leader = static_cast<unsigned int>(__ffs(static_cast<int>(group)) - 1);
  const unsigned char flags = static_cast<unsigned char>(head.flags);
  unsigned long long ticket = noTicket;
  if (lane == leader) {
    countAccess(context, head.site, static_cast<unsigned int>(__popc(group)));
    ticket = reserveSlots(context, 1 + format::payloadSlots(flags, head.bytes));
  }
  ticket = __shfl_sync(group, ticket, leader);
  if (ticket == noTicket) return;
  unsigned long long payload = ticket + 1;
  if (format::formOf(flags) == format::AddressForm::offsets32) {
    writeLaneTable(context, payload, group, lane, static_cast<int>(address - head.address));
    payload += 4;
  } else if (format::formOf(flags) == format::AddressForm::full64) {
    writeLaneTable(context, payload, group, lane, address);
    payload += 8;
  }
  if (format::hasValues(flags)) writeValue(context, payload, lane, head.bytes, value);
  __threadfence_system();  // payload before header, for a reader on the host
  __syncwarp(group);
  if (lane == leader) writeAccessHeader(context, ticket, head);
}

/// One record for the lanes of `group`, which agree on site and space.
static __device__ __forceinline__ void recordGroup(DeviceContext* context, unsigned int group,
                                                   unsigned int site, LaneAddress own, unsigned int bytes,
                                                   const void* value) {
  const unsigned int lane = laneIndex();
  const unsigned int leader = static_cast<unsigned int>(__ffs(static_cast<int>(group)) - 1);
  const unsigned int others = group & (group - 1);
  RecordHead head;
  head.address = __shfl_sync(group, own.address, leader);
  head.group = group;
  head.site = site;
  head.bytes = bytes;
  head.stride = 0;
  const long long offset = static_cast<long long>(own.address - head.address);

  // Affine if the two lowest lanes give a stride of 32 bits that all lanes follow.
  bool follows = true;
  if (others != 0) {
    const unsigned int second = static_cast<unsigned int>(__ffs(static_cast<int>(others)) - 1);
    const long long distance = __shfl_sync(group, offset, second);
    // 32 bits only: a 64-bit division would cost every kernel its registers. Farther lanes get full64.
    head.stride = static_cast<int>(distance) / static_cast<int>(second - leader);
    follows = distance == static_cast<int>(distance) &&
              offset == static_cast<long long>(head.stride) * static_cast<int>(lane - leader);
  }
  format::AddressForm form = format::AddressForm::affine;
  if (!__all_sync(group, follows)) {
    head.stride = 0;
    form = __all_sync(group, offset == static_cast<int>(offset)) ? format::AddressForm::offsets32
                                                                 : format::AddressForm::full64;
  }
  head.flags = format::makeFlags(format::RecordType::access, form, static_cast<format::Space>(own.space),
                                 value != nullptr);
  if (form == format::AddressForm::affine && value == nullptr) {
    if (lane == leader) emitAffine(context, head);
  } else {
    emitPayload(context, head, own.address, value);
  }
}

/// Records an access of the calling lanes. `value`: where the value lies, or null. A template only so
/// that several units may define it.
///
/// Out of line, and what it calls in the end is called last: registers live across a call add up along
/// the chain, and a kernel that grew beyond 64 could no longer be launched with 1024 threads.
template <int = 0>
__device__ __noinline__ void recordWarp(DeviceContext* context, unsigned int site,
                                        const volatile void* pointer, unsigned int bytes, const void* value) {
  const unsigned int mask = __activemask();
  const LaneAddress own = classify(pointer);
  // Lanes may have met here from different sites, or with generic pointers into different spaces.
  const unsigned int key = site << 3 | own.space;
  unsigned int remaining = mask;
  while (remaining != 0) {
    const int leader = __ffs(static_cast<int>(remaining)) - 1;
    const unsigned int leaderKey = __shfl_sync(mask, key, leader);
    const bool member = (remaining >> laneIndex() & 1u) != 0 && leaderKey == key;
    const unsigned int group = __ballot_sync(mask, member);
    if (member) recordGroup(context, group, site, own, bytes, value);
    __syncwarp(mask);
    remaining &= ~group;
  }
}

/// A record that is not an access, made by the calling lane alone.
template <int = 0>
__device__ __noinline__ void recordFact(DeviceContext* context, format::RecordType type, unsigned int site,
                                        unsigned long long address, unsigned int size, unsigned int block,
                                        int number) {
  const unsigned long long ticket = reserveSlots(context, 1);
  if (ticket == noTicket) return;
  format::WarpRecord record;
  record.address = address;
  record.activeMask = size;
  record.warpAndBytes = 0;
  record.flags = format::makeFlags(type, format::AddressForm::affine, format::Space::shared, false);
  record.siteAndGeneration = site;
  record.launch = launchKey();
  record.block = block;
  record.stride = number;
  writeHeader(context, ticket, record);
}

}  // namespace backend
}  // namespace cui
