// Device side: a site's calls of the recorder. Where it is linked the site says which function is for the
// mode (sitesAskForMode).
#pragma once

#include "cuinstrument/backend/cuda/entry_points.h"
#include "cuinstrument/backend/cuda/site.h"

namespace cui {
namespace backend {

#if defined(CUI_RECORDER_LINKED) || defined(CUI_RECORDER_MODULE)
/// The calling lanes have passed a barrier that is noted; asks whether anything is recorded. In the module
/// only.
CUI_OF_MODES __device__ __noinline__ void barrierAtSite(const DeviceUnit& unit, bool ofGrid);
#endif

/// Whether the functions for modes are called. The same for all sites of a unit, which cicc must not know: it
/// would make copies of loops for each mode (see isOn()), also of what is not recorded.
static __device__ __forceinline__ bool callsInMode(const DeviceUnit& unit) {
  if (!compilesTrace) return sitesAskForMode;
  return sitesAskForMode && hasMode(askedAnew(unit.firstKey));
}

static __device__ __forceinline__ void callOne(const DeviceUnit& unit, const LaneAccess& a) {
  if (callsInMode(unit)) return warpInMode(unit, a.key, a.address, a.bytes);
  recordWarp(unit, a.key, a.address, a.bytes);
}
static __device__ __forceinline__ void callTogether(const DeviceUnit& unit, const LaneAccess& a,
                                                    const LaneAccess& b) {
  const unsigned int bytes = bytesOfAll(a, b);
  if (callsInMode(unit)) return twoInMode(unit, a.key, a.address, b.key, b.address, bytes);
  recordTwo(unit, a.key, a.address, b.key, b.address, bytes);
}
static __device__ __forceinline__ void callTogether(const DeviceUnit& unit, const LaneAccess& a,
                                                    const LaneAccess& b, const LaneAccess& c) {
  const unsigned int bytes = bytesOfAll(a, b, c);
  if (callsInMode(unit))
    return threeInMode(unit, a.key, a.address, b.key, b.address, c.key, c.address, bytes);
  recordThree(unit, a.key, a.address, b.key, b.address, c.key, c.address, bytes);
}

static __device__ __forceinline__ bool callLoop(const DeviceUnit& unit, const LaneAccess (&of)[1],
                                                const int (&steps)[1], unsigned int times) {
  const LaneAccess& a = of[0];
  if (callsInMode(unit)) return loopOneInMode(unit, a.key, a.address, steps[0], a.bytes, times);
  return recordLoopOne(unit, a.key, a.address, steps[0], a.bytes, times);
}
static __device__ __forceinline__ bool callLoop(const DeviceUnit& unit, const LaneAccess (&of)[2],
                                                const int (&steps)[2], unsigned int times) {
  const LaneAccess &a = of[0], &b = of[1];
  const unsigned int bytes = bytesOfAll(a, b);
  if (callsInMode(unit))
    return loopTwoInMode(unit, a.key, a.address, steps[0], b.key, b.address, steps[1], bytes, times);
  return recordLoopTwo(unit, a.key, a.address, steps[0], b.key, b.address, steps[1], bytes, times);
}
static __device__ __forceinline__ bool callLoop(const DeviceUnit& unit, const LaneAccess (&of)[3],
                                                const int (&steps)[3], unsigned int times) {
  const LaneAccess &a = of[0], &b = of[1], &c = of[2];
  const unsigned int bytes = bytesOfAll(a, b, c);
  if (callsInMode(unit))
    return loopThreeInMode(unit, a.key, a.address, steps[0], b.key, b.address, steps[1], c.key, c.address,
                           steps[2], bytes, times);
  return recordLoopThree(unit, a.key, a.address, steps[0], b.key, b.address, steps[1], c.key, c.address,
                         steps[2], bytes, times);
}

}  // namespace backend
}  // namespace cui
