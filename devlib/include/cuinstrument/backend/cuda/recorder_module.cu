// The recorder as a module of its own: compiled once for an architecture, linked to units whose own device
// code has only calls (CUI_RECORDER_LINKED; cli/compile/linking_toolchain.h). As nobody inlines it into
// anything, it can have a limit of registers of its own, which the kernels that call it do not share.
#define CUI_RECORDER_MODULE
#include <cuda_runtime.h>

#include "cuinstrument/backend/cuda/facts.h"
#include "cuinstrument/backend/cuda/fixed_loop.h"
#include "cuinstrument/backend/cuda/in_place.h"
#include "cuinstrument/backend/cuda/lane_log.h"
#include "cuinstrument/backend/cuda/profile_row.h"
#include "cuinstrument/backend/cuda/tally.h"

namespace cui {
namespace backend {

CUI_OF_MODES
__device__ __noinline__ void recordValue(const DeviceUnit& unit, unsigned int keyAndMode,
                                         unsigned long long address, unsigned int bytes, const void* value) {
  if ((keyAndMode & warpSampleBit) != 0 && !isSampledWarp(unit.context)) return;
  const unsigned int mask = __activemask();
  if ((keyAndMode & timeBit) != 0) tellTime(unit.context, mask);
  recordGeneral(unit.context, mask, keyAndMode & ~modeBits, address, bytes, value);
}
template <int>
__device__ __noinline__ void recordAtSite(const DeviceUnit& unit, unsigned int site, const void* address,
                                          unsigned int bytes, const void* value) {
  if (!isOn(unit)) return;
  const LaneAccess own = laneAccess(unit, Accessed{site, bytes, address});
#if CUI_COMPILED_MODES & CUI_MODE_TRACE
  if (value != nullptr) return recordValue(unit, own.key, own.address, bytes, value);
  if (!hasMode(own.key)) return recordWarp(unit, own.key, own.address, bytes);
#endif
  warpInMode(unit, own.key, own.address, bytes);
}

template <int>
__device__ __noinline__ void recordTwoAtSite(const DeviceUnit& unit, unsigned int siteA, const void* a,
                                             unsigned int siteB, const void* b, unsigned int bytes) {
  if (!isOn(unit)) return;
  callTogether(unit, laneAccess(unit, Accessed{siteA, bytesOfTwo(bytes, 0), a}),
               laneAccess(unit, Accessed{siteB, bytesOfTwo(bytes, 1), b}));
}
template <int>
__device__ __noinline__ void recordThreeAtSite(const DeviceUnit& unit, unsigned int siteA, const void* a,
                                               unsigned int siteB, const void* b, unsigned int siteC,
                                               const void* c, unsigned int bytes) {
  if (!isOn(unit)) return;
  callTogether(unit, laneAccess(unit, Accessed{siteA, bytesOfThree(bytes, 0), a}),
               laneAccess(unit, Accessed{siteB, bytesOfThree(bytes, 1), b}),
               laneAccess(unit, Accessed{siteC, bytesOfThree(bytes, 2), c}));
}
template <int>
__device__ __noinline__ void recordInARow(const DeviceUnit& unit, const unsigned int* accesses,
                                          const void* const* addresses, unsigned int count) {
  if (!isOn(unit)) return;
#pragma unroll 1
  for (unsigned int i = 0; i < count;) {
    const unsigned int* const of = accesses + 2 * i;
    const void* const* const to = addresses + i;
    const unsigned int together = of[1] >> format::inARowShift;
    const unsigned int bytes = of[1] & ((1u << format::inARowShift) - 1);
    i += together;
    if (together == 1)
      recordAtSite(unit, of[0], to[0], bytes, nullptr);
    else if (together == 2)
      recordTwoAtSite(unit, of[0], to[0], of[2], to[1], bytes);
    else
      recordThreeAtSite(unit, of[0], to[0], of[2], to[1], of[4], to[2], bytes);
  }
}

template <int>
__device__ __noinline__ void barrierAtSite(const DeviceUnit& unit, bool ofGrid) {
  if (!isOn(unit) || ((unit.firstKey & warpSampleBit) != 0 && !isSampledWarp(unit.context))) return;
  const unsigned int mask = __activemask();
  passBarrier(unit.context, mask, ofGrid);
  __syncwarp(mask);
}

template __device__ void tellKernel<>(const DeviceUnit&, unsigned int);
template __device__ void tellShared<>(const DeviceUnit&, unsigned int, const void*, unsigned int);
template __device__ void recordAtSite<>(const DeviceUnit&, unsigned int, const void*, unsigned int,
                                        const void*);
template __device__ void recordTwoAtSite<>(const DeviceUnit&, unsigned int, const void*, unsigned int,
                                           const void*, unsigned int);
template __device__ void recordThreeAtSite<>(const DeviceUnit&, unsigned int, const void*, unsigned int,
                                             const void*, unsigned int, const void*, unsigned int);
template __device__ void recordInARow<>(const DeviceUnit&, const unsigned int*, const void* const*,
                                        unsigned int);
template __device__ void recordFixedOne<>(const DeviceUnit&, unsigned int, unsigned long long, long long,
                                          unsigned int, unsigned int);
template __device__ void recordFixedTwo<>(const DeviceUnit&, unsigned int, unsigned long long, long long,
                                          unsigned int, unsigned long long, long long, unsigned int,
                                          unsigned int);
template __device__ void recordFixedThree<>(const DeviceUnit&, unsigned int, unsigned long long, long long,
                                            unsigned int, unsigned long long, long long, unsigned int,
                                            unsigned long long, long long, unsigned int, unsigned int);
template __device__ void recordFixedLoop<>(const DeviceUnit&, const LoopPlace*, unsigned int, unsigned int);
template __device__ void warpInMode<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int);
template __device__ void twoInMode<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int,
                                     unsigned long long, unsigned int);
template __device__ void threeInMode<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int,
                                       unsigned long long, unsigned int, unsigned long long, unsigned int);
template __device__ bool loopOneInMode<>(const DeviceUnit&, unsigned int, unsigned long long, int,
                                         unsigned int, unsigned int);
template __device__ bool loopTwoInMode<>(const DeviceUnit&, unsigned int, unsigned long long, int,
                                         unsigned int, unsigned long long, int, unsigned int, unsigned int);
template __device__ bool loopThreeInMode<>(const DeviceUnit&, unsigned int, unsigned long long, int,
                                           unsigned int, unsigned long long, int, unsigned int,
                                           unsigned long long, int, unsigned int, unsigned int);
template __device__ bool recordLongLoop<>(const DeviceUnit&, const LoopPlace*, unsigned int, unsigned int);
template __device__ bool recordGatheredLoop<>(const DeviceUnit&, unsigned int, unsigned long long,
                                              unsigned int, unsigned int, int, unsigned int, unsigned int,
                                              unsigned int);
template __device__ void recordFact<>(DeviceContext*, unsigned int, format::RecordType, unsigned int,
                                      unsigned long long, unsigned int, unsigned int, int);
#if CUI_COMPILED_MODES & CUI_MODE_TRACE
template __device__ void barrierAtSite<>(const DeviceUnit&, bool);
template __device__ void recordWarp<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int);
template __device__ void recordTwo<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int,
                                     unsigned long long, unsigned int);
template __device__ void recordThree<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int,
                                       unsigned long long, unsigned int, unsigned long long, unsigned int);
template __device__ bool recordLoopOne<>(const DeviceUnit&, unsigned int, unsigned long long, int,
                                         unsigned int, unsigned int);
template __device__ bool recordLoopTwo<>(const DeviceUnit&, unsigned int, unsigned long long, int,
                                         unsigned int, unsigned long long, int, unsigned int, unsigned int);
template __device__ bool recordLoopThree<>(const DeviceUnit&, unsigned int, unsigned long long, int,
                                           unsigned int, unsigned long long, int, unsigned int,
                                           unsigned long long, int, unsigned int, unsigned int);
template __device__ void recordGeneral<>(DeviceContext*, unsigned int, unsigned int, unsigned long long,
                                         unsigned int, const void*);
template __device__ void tellTime<>(DeviceContext*, unsigned int);
template __device__ void passBarrier<>(DeviceContext*, unsigned int, bool);
template __device__ unsigned int beginRun<>(DeviceContext*, unsigned int);
template __device__ void putChunkBack<>(const DeviceUnit&, unsigned long long);
template __device__ unsigned long long holdAnew<>(const DeviceUnit&, unsigned long long, unsigned int);
template __device__ unsigned long long findCounts<>(const DeviceUnit&, unsigned int, unsigned int);
template __device__ void addCounted<>(const DeviceUnit&, unsigned int, unsigned int);
template __device__ void endInPlace<>(const DeviceUnit&, unsigned long long, const unsigned int*,
                                      unsigned int);
template __device__ unsigned int logAnew<>(const DeviceUnit&, unsigned int, unsigned int,
                                           const unsigned long long*, unsigned int, unsigned int*,
                                           unsigned int);
template __device__ void endLogged<>(const DeviceUnit&, unsigned long long, const unsigned int*,
                                     unsigned int, unsigned int);
template __device__ unsigned long long recordAndHold<>(const DeviceUnit&, unsigned int, unsigned long long,
                                                       unsigned int, unsigned long long, unsigned int);
#endif
#if CUI_COMPILED_MODES & CUI_MODE_PROFILE
template __device__ RowPoint beginRow<>(OwnMemory, unsigned int, unsigned int, unsigned int, unsigned int,
                                        unsigned int);
template __device__ RowPoint stepOfRow<>(const DeviceUnit&, OwnMemory, OwnMemory, unsigned int);
template __device__ RowPoint stepOfLoopRow<>(const DeviceUnit&, OwnMemory, OwnMemory, unsigned int);
template __device__ unsigned int tallyWavefronts<>(unsigned int);
template __device__ void addTally<>(const DeviceUnit&, unsigned int, unsigned int, unsigned long long,
                                    unsigned int, unsigned int, unsigned int, unsigned int);
template __device__ void recordUntallied<>(const DeviceUnit&, unsigned int, unsigned long long, unsigned int);
#endif

}  // namespace backend
}  // namespace cui
