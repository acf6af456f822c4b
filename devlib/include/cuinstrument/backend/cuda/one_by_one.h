// Device side: several accesses of one expression that are not recorded together (together.h).
#pragma once

#include "cuinstrument/backend/cuda/recorder.h"
#include "cuinstrument/backend/cuda/whole_form.h"

namespace cui {
namespace backend {

/// One of several accesses' bytes, out of the word that bytesOfAll() makes of them.
static __device__ __forceinline__ unsigned int bytesOfTwo(unsigned int all, unsigned int index) {
  return index == 0 ? all & 0xffffu : all >> 16;
}
static __device__ __forceinline__ unsigned int bytesOfThree(unsigned int all, unsigned int index) {
  return all >> 10 * index & (index == 2 ? 0xfffu : 0x3ffu);
}

static __device__ __forceinline__ LaneAccesses<2> twoAccesses(unsigned int keyA, unsigned long long a,
                                                              unsigned int keyB, unsigned long long b,
                                                              unsigned int bytes) {
  return {{{a, keyA, bytesOfTwo(bytes, 0)}, {b, keyB, bytesOfTwo(bytes, 1)}}};
}
static __device__ __forceinline__ LaneAccesses<3> threeAccesses(unsigned int keyA, unsigned long long a,
                                                                unsigned int keyB, unsigned long long b,
                                                                unsigned int keyC, unsigned long long c,
                                                                unsigned int bytes) {
  return {{{a, keyA, bytesOfThree(bytes, 0)},
           {b, keyB, bytesOfThree(bytes, 1)},
           {c, keyC, bytesOfThree(bytes, 2)}}};
}

#if defined(CUI_RECORDER_MODULE)
// No call but as the last step, as long as all is ready: recordSlowly() says why. By value a structure is in
// local memory, where it does no harm in what is slow.

/// From the access with number `next` on, which count or chunk are not ready for.
template <unsigned Count>
__device__ __noinline__ void recordRest(const DeviceUnit& unit, LaneAccesses<Count> all, unsigned int mask,
                                        unsigned int next) {
#pragma unroll 1
  for (; next < Count; ++next)
    recordSlowly(unit, mask, all.of[next].key, all.of[next].address, all.of[next].bytes);
}
template <unsigned Count>
static __device__ __forceinline__ void recordReady(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
  const unsigned int mask = __activemask();
#pragma unroll 1
  for (unsigned int i = 0; i < Count; ++i) {
    const LaneAccess own = accessOf(all.of, i);
    if (!recordShort<false, false>(unit, mask, own.key, own.address, own.bytes))
      return recordRest(unit, all, mask, i);
  }
}
CUI_OF_MODES
__device__ CUI_STEP void eachOfTwo(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                   unsigned int keyB, unsigned long long b, unsigned int bytes) {
  recordReady(unit, twoAccesses(keyA, a, keyB, b, bytes));
}
CUI_OF_MODES
__device__ CUI_STEP void eachOfThree(const DeviceUnit& unit, unsigned int keyA, unsigned long long a,
                                     unsigned int keyB, unsigned long long b, unsigned int keyC,
                                     unsigned long long c, unsigned int bytes) {
  recordReady(unit, threeAccesses(keyA, a, keyB, b, keyC, c, bytes));
}
static __device__ __forceinline__ void recordEach(const DeviceUnit& unit, const LaneAccesses<2>& all) {
  eachOfTwo(unit, all.of[0].key, all.of[0].address, all.of[1].key, all.of[1].address,
            all.of[0].bytes | all.of[1].bytes << 16);
}
static __device__ __forceinline__ void recordEach(const DeviceUnit& unit, const LaneAccesses<3>& all) {
  eachOfThree(unit, all.of[0].key, all.of[0].address, all.of[1].key, all.of[1].address, all.of[2].key,
              all.of[2].address, all.of[0].bytes | all.of[1].bytes << 10 | all.of[2].bytes << 20);
}
/// From the access with number `next` on.
template <unsigned Count>
__device__ __noinline__ void profileRest(const DeviceUnit& unit, LaneAccesses<Count> all, unsigned int next) {
#pragma unroll 1
  for (; next < Count; ++next) warpInMode(unit, all.of[next].key, all.of[next].address, all.of[next].bytes);
}
template <unsigned Count>
static __device__ __forceinline__ void profileEach(const DeviceUnit& unit, unsigned int mask,
                                                   const LaneAccesses<Count>& all) {
  if (!compilesProfile) return profileRest(unit, all, 0);
  if (mask == 0xffffffffu) return addEachShort<true>(unit, mask, all);
  addEachShort<false>(unit, mask, all);
}
#else
template <unsigned Count>
static __device__ __forceinline__ void recordEach(const DeviceUnit& unit, const LaneAccesses<Count>& all) {
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    recordWarp(unit, all.of[i].key, all.of[i].address, all.of[i].bytes);
}
template <unsigned Count>
static __device__ __forceinline__ void profileEach(const DeviceUnit& unit, unsigned int,
                                                   const LaneAccesses<Count>& all) {
  recordEach(unit, all);
}
#endif

}  // namespace backend
}  // namespace cui
