// Host side of the chunks in the host's memory (host_chunks.h): where they lie, and what is left in them at
// the end. All else is between the device and hostlib.
#pragma once

#include "cuinstrument/backend/cuda/host_runtime.h"
#include "cuinstrument/host/abi.h"

CUI_HOST_SIDE_BEGIN
namespace cui {
namespace backend {

/// A device without a pool has none.
inline unsigned int wantedChunks() {
  return cuiOptions()->poolBytes == 0 ? 0
                                      : static_cast<unsigned int>(cuiOptions()->chunkBytes / hostChunkBytes);
}

/// The chunks and their queues, in `bytes` and what follows them.
inline void placeChunks(CuiChunks& chunks, unsigned int count, char* memory) {
  chunks.chunkCount = count;
  while ((1u << chunks.log2QueueSize) < count) ++chunks.log2QueueSize;
  chunks.chunks = memory;
  chunks.fullQueue = reinterpret_cast<volatile uint64_t*>(memory + std::size_t{count} * hostChunkBytes);
  chunks.freeQueue = reinterpret_cast<volatile uint32_t*>(chunks.fullQueue + (1u << chunks.log2QueueSize));
}

/// Where the device finds the chunks in the host's memory. They are for lanes that have cursors to the pool.
inline void fillHostChunks(const Device& device, DeviceContext& context) {
  const CuiChunks& chunks = device.chunks;
  if (chunks.chunkCount == 0 || device.pool.units == nullptr) return;
  const auto mapped = [&](const volatile void* host) {
    return reinterpret_cast<unsigned long long>(context.slots) +
           static_cast<unsigned long long>(static_cast<const volatile char*>(host) -
                                           static_cast<const char*>(device.ring.slots));
  };
  HostChunks& to = context.hostChunks;
  to.count = chunks.chunkCount;
  to.kept = 2 * device.warpSlots < to.count / 4 * 3 ? 2 * device.warpSlots : to.count / 4 * 3;
  to.log2QueueSize = chunks.log2QueueSize;
  to.freed = reinterpret_cast<const volatile unsigned long long*>(mapped(chunks.freed));
  to.freeQueue = reinterpret_cast<volatile unsigned int*>(mapped(chunks.freeQueue));
  to.fullQueue = reinterpret_cast<volatile unsigned long long*>(mapped(chunks.fullQueue));
  context.constants.hostSlots =
      mapped(chunks.chunks) - static_cast<unsigned long long>(hostSlot) * format::slotBytes;
}

/// What lanes have in the host's chunks and not handed over. `idle`: nothing that records can be running, and
/// the lanes have chunks of the pool again. `known`: the device's counts have just been read.
inline void takeOpenChunks(const Device& device, bool idle, bool known) {
  if (device.chunks.chunkCount == 0) return;
  const HostChunks& chunks = device.contextCopy->hostChunks;
  cuiTakeOpenChunks(device.ring.device, known ? chunks.taken : ~0ull, idle ? 1 : 0);
}

}  // namespace backend
}  // namespace cui
CUI_HOST_SIDE_END
