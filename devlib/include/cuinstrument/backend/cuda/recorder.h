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
static __device__ __forceinline__ void countAccess(DeviceContext* context, unsigned int launch,
                                                   unsigned int site, unsigned int lanes) {
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

/// One record for the lanes of `group`, which agree on site and space.
static __device__ __forceinline__ void recordGroup(DeviceContext* context, unsigned int group,
                                                   unsigned int lane, unsigned int site, LaneAddress own,
                                                   unsigned int bytes, const void* value) {
  const unsigned int leader = static_cast<unsigned int>(__ffs(static_cast<int>(group)) - 1);
  const unsigned int others = group & (group - 1);
  const unsigned long long first = __shfl_sync(group, own.address, leader);
  const long long offset = static_cast<long long>(own.address - first);

  // Affine if the two lowest lanes give a stride of 32 bits that all lanes follow.
  long long stride = 0;
  bool follows = true;
  if (others != 0) {
    const unsigned int second = static_cast<unsigned int>(__ffs(static_cast<int>(others)) - 1);
    const long long distance = __shfl_sync(group, offset, second);
    // 32 bits only: a 64-bit division would cost every kernel its registers. Farther lanes get full64.
    stride = static_cast<int>(distance) / static_cast<int>(second - leader);
    follows = distance == static_cast<int>(distance) && offset == stride * static_cast<long long>(lane - leader);
  }
  format::AddressForm form = format::AddressForm::affine;
  if (!__all_sync(group, follows)) {
    stride = 0;
    form = __all_sync(group, offset == static_cast<int>(offset)) ? format::AddressForm::offsets32
                                                                 : format::AddressForm::full64;
  }
  const unsigned char flags =
      format::makeFlags(format::RecordType::access, form, static_cast<format::Space>(own.space), value != nullptr);
  const unsigned int launch = launchKey();

  unsigned long long ticket = noTicket;
  if (lane == leader) {
    ticket = reserveSlots(context, 1 + format::payloadSlots(flags, bytes));
    countAccess(context, launch, site, static_cast<unsigned int>(__popc(group)));
  }
  ticket = __shfl_sync(group, ticket, leader);
  if (ticket != noTicket) {
    if (form != format::AddressForm::affine || value != nullptr) {
      unsigned long long payload = ticket + 1;
      if (form == format::AddressForm::offsets32) {
        writeLaneTable(context, payload, group, lane, static_cast<int>(offset));
        payload += 4;
      } else if (form == format::AddressForm::full64) {
        writeLaneTable(context, payload, group, lane, own.address);
        payload += 8;
      }
      if (value != nullptr) writeValue(context, payload, lane, bytes, value);
      __threadfence_system();  // payload before header, for a reader on the host
      __syncwarp(group);
    }
    if (lane == leader) {
      format::WarpRecord record;
      record.address = first;
      record.activeMask = group;
      record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, bytes);
      record.flags = flags;
      record.siteAndGeneration = site;
      record.launch = launch;
      record.block = linearBlock();
      record.stride = static_cast<int>(stride);
      writeHeader(context, ticket, record);
    }
  }
  __syncwarp(group);
}

/// Records an access of the calling lanes. `value`: where the value lies, or null. A template only so
/// that several units may define it.
template <int = 0>
__device__ __noinline__ void recordWarp(DeviceContext* context, unsigned int site,
                                        const volatile void* pointer, unsigned int bytes, const void* value) {
  const unsigned int mask = __activemask();
  const unsigned int lane = laneIndex();
  const LaneAddress own = classify(pointer);
  // Lanes may have met here from different sites, or with generic pointers into different spaces.
  const unsigned int key = site << 3 | own.space;
  unsigned int remaining = mask;
  while (remaining != 0) {
    const int leader = __ffs(static_cast<int>(remaining)) - 1;
    const unsigned int leaderKey = __shfl_sync(mask, key, leader);
    const bool member = (remaining >> lane & 1u) != 0 && leaderKey == key;
    const unsigned int group = __ballot_sync(mask, member);
    if (member) recordGroup(context, group, lane, site, own, bytes, value);
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
