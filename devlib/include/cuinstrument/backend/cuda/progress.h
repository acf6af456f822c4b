// Device side: what a warp's records come after: barriers of the block, and, where a kernel is a graph's
// node, earlier runs of the same grid.
//
// A record goes to the chunk of its lowest lane (pool.h), so the order of a warp's records is known lane by
// lane. Each lane therefore says for itself what the warp has passed, by a mark in front of the next record
// that it leads. Lanes that lead nothing write nothing: at a barrier they only note that they have something
// to tell, by a bit beside their chunk's room, which the next record of theirs has to read anyway. The lowest
// lane of those that come to the barrier, which leads most, tells at once.
#pragma once

#include "cuinstrument/backend/cuda/entry_points.h"
#include "cuinstrument/backend/cuda/host_chunks.h"
#include "cuinstrument/backend/cuda/identity.h"
#include "cuinstrument/backend/cuda/split_block.h"

namespace cui {
namespace backend {

static __device__ __forceinline__ Progress* ownProgress(const RecorderConstants& constants) {
  return constants.progress + (hardwareWarp(constants) * 32 + laneIndex());
}
static __device__ __forceinline__ Progress loadProgress(const Progress* progress) {
  Progress value;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.launch), "=r"(value.block), "=r"(value.warpAndRun), "=r"(value.barriers)
               : "l"(progress)
               : "memory");
  return value;
}
static __device__ __forceinline__ void storeProgress(Progress* progress, Progress value) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(progress), "r"(value.launch),
               "r"(value.block), "r"(value.warpAndRun), "r"(value.barriers)
               : "memory");
}

static __device__ __forceinline__ Progress freshProgress(unsigned int run) {
  return Progress{launchKey(), linearBlock(), (linearThread() / 32 & 31u) | run << runShift, 0};
}
/// Whether it is of the calling lane's warp, or was left behind in the warp slot by another.
static __device__ __forceinline__ bool isOwn(const Progress& progress) {
  return progress.launch == launchKey() && progress.block == linearBlock() &&
         (progress.warpAndRun & 31u) == (linearThread() / 32 & 31u);
}

static __device__ __forceinline__ void setUntold(Cursor* cursor) {
  const Cursor own = loadCursor(cursor);
  storeCursorIf(!isUntold(own), cursor, Cursor{own.next, own.roomAndLap | untoldBit});
}

static __device__ __forceinline__ unsigned int* ownGridBarriers(const DeviceContext* context) {
  return reinterpret_cast<unsigned int*>(context->constants.progress + context->warpSlots * 32) +
         (hardwareWarp(context->constants) * 32 + laneIndex());
}
/// The lane's barriers as a mark has them.
static __device__ __forceinline__ unsigned long long barriersOf(const DeviceContext* context,
                                                                const Progress& progress) {
  unsigned int ofGrid;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\tmov.u32 %0, 0;\n\t@p ld.global.u32 %0, [%1];\n\t}"
      : "=r"(ofGrid)
      : "l"(ownGridBarriers(context)), "r"(progress.warpAndRun & metGrid)
      : "memory");
  return progress.barriers | static_cast<unsigned long long>(ofGrid) << 32;
}

static __device__ __forceinline__ format::WarpRecord progressMark(unsigned int lane,
                                                                  unsigned long long barriers,
                                                                  unsigned int run, unsigned int tag) {
  format::WarpRecord record;
  record.address = barriers;
  record.activeMask = 1u << lane;
  record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, 0);
  record.flags = format::markFlags(format::Mark::warpProgress);
  record.generationA = static_cast<unsigned char>(tag);
  record.siteAndGeneration = tag << 24;
  record.launch = launchKey();
  record.block = blockOfProgram();
  record.stride = static_cast<int>(run);
  return record;
}

/// Each lane that `needs` it writes for itself.
template <int>
__device__ Cursor beginChunk(DeviceContext* context, bool needs, Cursor own) {
  const Progress progress = loadProgress(ownProgress(context->constants));
  const bool tells = needs && isOwn(progress);
  writeHeader(
      slotAt(context->constants, own.next), tells,
      progressMark(laneIndex(), barriersOf(context, progress), progress.warpAndRun >> runShift, lapOf(own)));
  return tells ? Cursor{own.next + 1, own.roomAndLap - 1} : own;
}

/// A mark of lane `leader`: in its chunk, or, where that has no room, in the ring.
CUI_OF_ANY_MODE
__device__ __noinline__ void writeMark(DeviceContext* context, unsigned int mask, unsigned int leader,
                                       format::WarpRecord record) {
  const bool leads = laneIndex() == leader;
  const PoolPlace place = takePoolSlots(context, mask, leader, 1);
  if (place.first != nullptr) return writeTagged(place.first, place.tag, leads, record);
  writeToRing(shapeOfRing(context), reserveSlots(context, mask, leader, 1), leads, record);
}

/// Before a record of lane `leader`: what it has not told yet. Called by all lanes of `mask`.
CUI_OF_ANY_MODE
__device__ __noinline__ void tellProgress(DeviceContext* context, unsigned int mask, unsigned int leader) {
  Cursor* const cursor = ownCursor(context->constants);
  const Cursor own = loadCursor(cursor);
  const bool tells = laneIndex() == leader && isUntold(own);
  if (!__any_sync(mask, tells)) return;
  storeCursorIf(tells, cursor, Cursor{own.next, own.roomAndLap & ~untoldBit});
  const Progress progress = loadProgress(ownProgress(context->constants));
  if (__any_sync(mask, tells && isOwn(progress)))
    writeMark(context, mask, leader,
              progressMark(leader, barriersOf(context, progress), progress.warpAndRun >> runShift, 0));
}

/// Before a record of lane `leader`, where times are asked for.
template <int>
__device__ __noinline__ void tellTime(DeviceContext* context, unsigned int mask) {
  const unsigned int leader = lowestLane(mask);
  const unsigned long long cycles = static_cast<unsigned long long>(clock64());
  format::WarpRecord record = progressMark(leader, nanoseconds() + context->clockOffset, 0, 0);
  record.warpAndBytes = format::makeWarpAndBytes(linearThread() / 32, multiprocessorIndex());
  record.flags = format::markFlags(format::Mark::time);
  record.siteAndGeneration = static_cast<unsigned int>(cycles >> 32) & 0xffffffu;
  record.stride = static_cast<int>(cycles);
  writeMark(context, mask, leader, record);
}

/// The lanes of `mask` have passed a barrier of their block, or of all blocks.
template <int>
__device__ __noinline__ void passBarrier(DeviceContext* context, unsigned int mask, bool ofGrid) {
  Progress* const place = ownProgress(context->constants);
  Progress progress = loadProgress(place);
  if (!isOwn(progress)) progress = freshProgress(0);
  ++progress.barriers;
  if (ofGrid) {
    unsigned int* const count = ownGridBarriers(context);
    *count = (progress.warpAndRun & metGrid) != 0 ? *count + 1 : 1;
    progress.warpAndRun |= metGrid;
  }
  storeProgress(place, progress);
  const unsigned int leader = lowestLane(mask);
  Cursor* const cursor = ownCursor(context->constants);
  const Cursor own = loadCursor(cursor);
  if (!__all_sync(mask, roomOf(own) >= slotsWanted(mask, laneIndex(), leader, 1))) {
    setUntold(cursor);
    tellProgress(context, mask, leader);
    return;
  }
  const bool leads = laneIndex() == leader;
  writeHeader(
      slotAt(context->constants, own.next), leads,
      progressMark(leader, barriersOf(context, progress), progress.warpAndRun >> runShift, lapOf(own)));
  const Cursor told = {own.next + 1, (own.roomAndLap & ~untoldBit) - 1};
  const Cursor untold = {own.next, own.roomAndLap | untoldBit};
  storeCursorIf(leads || !isUntold(own), cursor, leads ? told : untold);
}

static __device__ __forceinline__ unsigned long long compareAndSwapAsOne(unsigned int mask,
                                                                         unsigned int leader,
                                                                         unsigned long long* word,
                                                                         unsigned long long expected,
                                                                         unsigned long long value) {
  unsigned long long old;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %4, 0;\n\tmov.u64 %0, 0;\n\t"
      "@p atom.global.cas.b64 %0, [%1], %2, %3;\n\t}"
      : "=l"(old)
      : "l"(word), "l"(expected), "l"(value), "r"(laneIndex() == leader ? 1u : 0u)
      : "memory");
  return __shfl_sync(mask, old, leader);
}

/// A warp begins: how often its grid has run before. Runs of a grid do not overlap, and in each of them each
/// of its warps comes here once.
template <int>
__device__ __noinline__ unsigned int beginRun(DeviceContext* context, unsigned int mask) {
  const unsigned int leader = lowestLane(mask);
  const unsigned long long key = 1ull << 32 | launchKey();
  unsigned int run = 0;
  unsigned int slot = launchKey() * 0x9e3779b1u >> (32 - log2RunTableSize);
#pragma unroll 1
  for (unsigned int probe = 0; probe < runProbes; ++probe, slot = (slot + 1) & (runTableSize - 1)) {
    RunCount* const count = context->runs + slot;
    const unsigned long long found = compareAndSwapAsOne(mask, leader, &count->key, 0, key);
    if (found != 0 && found != key) continue;
    const unsigned long long warps = (blockDim.x * blockDim.y * blockDim.z + 31) / 32 *
                                     static_cast<unsigned long long>(gridDim.x * gridDim.y) * gridDim.z;
    const unsigned long long before = addAsOne(mask, leader, &count->warpsAndRuns, 1);
    run = static_cast<unsigned int>(before >> runCountShift);
    // The run's last warp. The next run may have other extents: a graph's instance can be given them.
    if ((before & (runUnit - 1)) + 1 == warps) addAsOne(mask, leader, &count->warpsAndRuns, runUnit - warps);
    break;
  }
  storeProgress(ownProgress(context->constants), freshProgress(run));
  // In the first run, too: in what the host collects it may come behind others, of another warp slot.
  setUntold(ownCursor(context->constants));
  tellProgress(context, mask, leader);
  return run;
}

}  // namespace backend
}  // namespace cui
