// The CUDA backend's primitives for instrumented code: device/access.h says what each must do.
//
//   device_state.h   what lies in device memory             (both sides)
//   profile_state.h  the same of profile mode               (both sides)
//   entry_points.h   what sites call                        (device side)
//   site.h           what is at the sites themselves        (device side)
//   lanes.h          the calling lane                       (device side)
//   loop_site.h      the same of loops                      (device side)
//   alike_site.h     where one block stands for all         (device side)
//   row_site.h       where rows of blocks are accounted for (device side)
//   ring.h           reserving and writing slots            (device side)
//   pool.h           the same in device memory              (device side)
//   host_chunks.h    the same beyond it, in host memory     (device side)
//   identity.h       launch, warp; counting                 (device side)
//   progress.h       barriers, and runs of a graph          (device side)
//   modes.h          which modes are compiled               (both sides)
//   general.h        records of every kind                  (device side)
//   place.h          where a record goes and is counted     (device side)
//   recorder.h       those of most accesses, in short       (device side)
//   whole_form.h     rules that warps follow                (device side)
//   together.h       those of one expression                (device side)
//   one_by_one.h     where that cannot be                   (device side)
//   loop.h           those of a loop, time after time    (device side)
//   profile_sums.h   profile mode: totals, and adding       (device side)
//   profile_lane_sums.h  those of parts of warps            (device side)
//   profile_warp_sums.h  those of whole warps               (device side)
//   profile_lanes.h  totals instead of records              (device side)
//   profile_aligned.h  those of lanes without a rule     (device side)
//   profile.h        those of most accesses, in short       (device side)
//   profile_together.h   those of one expression         (device side)
//   profile_loop.h   those of a loop                     (device side)
//   profile_row.h    those of a row of blocks            (device side)
//   row_cost.h       what their accesses cost             (device side)
//   row_points.h     whose places are asked for there    (device side)
//   tally.h          those that kernels keep in registers   (device side)
//   calibrate.h      learning the number of the next grid   (device side)
//   host_side.h      compiled here, or in the library       (host side)
//   host_unit.h      a unit as the host side knows it       (host side)
//   host_library.h   what units call in the library         (host side)
//   device_memory.h  what is ours there, and reading it     (host side)
//   collect.h        what waits in device memory            (host side)
//   chunk_setup.h    what waits in chunks in host memory    (host side)
//   profile_collect.h  profile mode's totals                (host side)
//   host_runtime.h   the program's units and devices        (host side)
//   contexts.h       which of a device's contexts it is     (host side)
//   clocks.h         the host's clock beside the device's   (host side)
//   device_setup.h   readying a device                      (host side)
//   long_kernels.h   what a running kernel has recorded     (host side)
//   harvest.h        durations, counters, close             (host side)
//   launch.h         what CUI_LAUNCH does                   (host side)
//   graph_nodes.h    nodes of graphs that calls make        (host side)
//
// With CUI_RECORDER_LINKED only the first eight and the host side are compiled in a unit
// (recorder_module.cu).
//
// Everything the preamble defines has internal linkage: a unit's device code uses its own site numbers
// whatever the linker merges, with and without -rdc=true.
#pragma once

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700  // the default of CUDA 12
#error "cuinstrument records on GPUs of compute capability 7.0 and later: name one, -arch=sm_75"
#endif
#include <cuda_runtime.h>

#include "cuinstrument/backend/cuda/alike_site.h"
#include "cuinstrument/backend/cuda/calibrate.h"
#include "cuinstrument/backend/cuda/configuration.h"
#include "cuinstrument/backend/cuda/entry_points.h"
#include "cuinstrument/backend/cuda/facts.h"
#include "cuinstrument/backend/cuda/host_side.h"
#include "cuinstrument/backend/cuda/loop_site.h"
#include "cuinstrument/backend/cuda/row_site.h"
#if !defined(CUI_RECORDER_LINKED)
#include "cuinstrument/backend/cuda/fixed_loop.h"
#endif

// nvcc warns where a function that is not constexpr asks whether it is evaluated at compile time, as CUI_TEXT
// does in most places.
#if defined(__NVCC__)
#pragma nv_diag_suppress 3060
#endif

#define CUI_BACKEND_CUDA 1
#define CUI_HD __host__ __device__
#if defined(__CUDA_ARCH__)
#define CUI_RECORDING true
#define CUI_RECORDS_LOOPS 1
#else
#define CUI_RECORDING false
#define CUI_RECORDS_LOOPS 0
#endif

namespace cui {
namespace backend {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
/// The address of `reference` although its class may overload operator&. Only a C cast takes all qualifiers:
/// a member may be `__restrict__`.
template <class T>
CUI_HD const volatile void* addressOf(T& reference) {
  return (const volatile void*)__builtin_addressof(reference);
}
#pragma GCC diagnostic pop

/// Says in PTX that the accesses that follow are recorded in front of their loop, nearly always: what a
/// kernel costs is told by its other calls (cli/compile/lean_kernels.h).
CUI_HD inline void besideLoop() {
#if CUI_RECORDS_LOOPS && defined(CUI_RECORDER_LINKED)
  asm volatile("// cuiBesideLoop");
#endif
}
/// The same of the access that follows, for kernels with tallies only (cli/compile/tallied_kernels.h).
CUI_HD inline void unlessTold() {
#if CUI_RECORDS_LOOPS && defined(CUI_RECORDER_LINKED)
  asm volatile("// cuiUnlessTold");
#endif
}
template <class R, class... A>
CUI_HD const volatile void* addressOf(R (&function)(A...)) {
  return reinterpret_cast<const volatile void*>(&function);
}

// At each site a branch on the unit's state, then the address's space, which the compiler often knows, and a
// call: that costs least when recording is off. In a file whose loops are unrolled into thousands of accesses
// nvcc takes very long over so much code: there the call finds out the space, and whether to record at all,
// unless that call, which is always made, would have the registers of a kernel saved that keeps much in them
// (docs/limitations.md). The rewriter says so by CUI_MANY_SITES and CUI_MANY_REGISTERS; CUI_COMPACT_SITES, 0
// or 1, overrules it. Where the recorder is linked, programs that are switched off run other code, and the
// branch is left out in any case: cicc takes as long over it as over all else at these sites. Relocatable
// code has no such other code: there it is left out of a thousand sites in a kernel (CUI_VERY_MANY_SITES),
// most of which turn out to be of the thread's own memory.
#if CUI_IS_COMPACT
#define CUI_CALL_AT_SITE 1
#define CUI_AT_SITE __noinline__
#else
#define CUI_CALL_AT_SITE 0
#define CUI_AT_SITE __forceinline__
// Compiled in the unit, what is rarely called costs kernels their registers, and called through pointers it
// would have all of profile mode keep to the calling convention (recorder.h).
#if defined(__CUDA_ARCH__) && defined(CUI_RECORDER_LINKED) && !defined(CUI_TRACE_ONLY)
#define CUI_COUNTS_ROWS  // device/row.h
#endif
#if defined(__CUDA_ARCH__) && !defined(CUI_TRACE_ONLY)
#define CUI_COUNTS_ALIKE  // device/alike.h
#endif
#endif
#if defined(CUI_RECORDER_LINKED) && (!defined(__CUDACC_RDC__) || defined(CUI_VERY_MANY_SITES))
#undef CUI_MANY_REGISTERS
#endif
#if defined(CUI_COMPACT_SITES) ? CUI_COMPACT_SITES : defined(CUI_MANY_SITES) && !defined(CUI_MANY_REGISTERS)
constexpr bool asksAtSite = false;
#else
constexpr bool asksAtSite = true;
#endif
/// Where sites ask nothing, code for parts of loops would be as much as them.
CUI_HD inline bool isProfiledNow(const DeviceUnit& unit) {
#if defined(__CUDA_ARCH__)
  // The mode is the same in all of a unit, which cicc must not know: see callsInMode().
  return asksAtSite && compilesProfile && isOn(unit) && isProfiled(askedAnew(unit.firstKey));
#else
  return static_cast<void>(unit), false;
#endif
}
// `Asks`: whether anything is recorded.
#if CUI_CALL_AT_SITE && defined(CUI_RECORDER_LINKED)
// There the recorder has that call: a unit with functions of its own could not be linked.
template <bool Asks, int = CUI_COMPILED_MODES>
__device__ __forceinline__ void recordNow(const DeviceUnit& unit, unsigned int site,
                                          const volatile void* address, unsigned int bytes,
                                          const void* value) {
  recordAtSite(unit, site, const_cast<const void*>(address), bytes, value);
}
template <bool Asks, int = CUI_COMPILED_MODES>
__device__ __forceinline__ void recordNow(const DeviceUnit& unit, const Accessed& a, const Accessed& b) {
  recordTwoAtSite(unit, a.site, const_cast<const void*>(a.address), b.site,
                  const_cast<const void*>(b.address), bytesOfAll(a, b));
}
template <bool Asks, int = CUI_COMPILED_MODES>
__device__ __forceinline__ void recordNow(const DeviceUnit& unit, const Accessed& a, const Accessed& b,
                                          const Accessed& c) {
  recordThreeAtSite(unit, a.site, const_cast<const void*>(a.address), b.site,
                    const_cast<const void*>(b.address), c.site, const_cast<const void*>(c.address),
                    bytesOfAll(a, b, c));
}
#else
template <bool Asks, int = CUI_COMPILED_MODES>
__device__ CUI_AT_SITE void recordNow(const DeviceUnit& unit, unsigned int site, const volatile void* address,
                                      unsigned int bytes, const void* value) {
  if (Asks && !isOn(unit)) return;
  const LaneAccess own = laneAccess(unit, Accessed{site, bytes, address});
  if (value == nullptr || !compilesTrace) return callOne(unit, own);
  if ((own.key & warpSampleBit) != 0 && !isSampledWarp(unit.context)) return;
  const unsigned int mask = __activemask();
  if ((own.key & timeBit) != 0) CUI_SLOW_PATH(tellTime)(unit.context, mask);
  CUI_SLOW_PATH(recordGeneral)(unit.context, mask, own.key & ~modeBits, own.address, bytes, value);
}
template <bool Asks, int = CUI_COMPILED_MODES>
__device__ CUI_AT_SITE void recordNow(const DeviceUnit& unit, const Accessed& first, const Accessed& second) {
  if (Asks && !isOn(unit)) return;
  callTogether(unit, laneAccess(unit, first), laneAccess(unit, second));
}
template <bool Asks, int = CUI_COMPILED_MODES>
__device__ CUI_AT_SITE void recordNow(const DeviceUnit& unit, const Accessed& first, const Accessed& second,
                                      const Accessed& third) {
  if (Asks && !isOn(unit)) return;
  callTogether(unit, laneAccess(unit, first), laneAccess(unit, second), laneAccess(unit, third));
}
#endif
#undef CUI_AT_SITE
#undef CUI_CALL_AT_SITE

/// One of several of which some are the thread's own. As short as can be: mostly cicc finds out that there
/// are none, but long after it has made copies of this for each turn of a loop.
template <bool Asks>
__device__ __forceinline__ void recordRest(const DeviceUnit& unit, const Accessed& a) {
  if (isPrivate(unit.constants, a.address)) return;
#if defined(CUI_RECORDER_LINKED)
  recordAtSite(unit, a.site, const_cast<const void*>(a.address), a.bytes, nullptr);
#else
  recordNow<Asks>(unit, a.site, a.address, a.bytes, nullptr);
#endif
}

/// Several accesses in their order, each of the calling lanes; not those of memory that is the thread's own.
/// In loops it has been asked in front of them whether anything is recorded (loop.h).
template <bool Asks = true, int = CUI_COMPILED_MODES>
CUI_HD inline void recordTogether(const DeviceUnit& unit, const Accessed& a) {
#if defined(__CUDA_ARCH__)
  if (Asks && asksAtSite && !isOn(unit)) return;
  if (!isPrivate(unit.constants, a.address))
    recordNow<Asks && !asksAtSite>(unit, a.site, a.address, a.bytes, nullptr);
#else
  (void)unit, (void)a;
#endif
}
template <bool Asks = true, int = CUI_COMPILED_MODES>
CUI_HD inline void recordTogether(const DeviceUnit& unit, const Accessed& a, const Accessed& b) {
#if defined(__CUDA_ARCH__)
  if (Asks && asksAtSite && !isOn(unit)) return;
  constexpr bool stillAsks = Asks && !asksAtSite;
  if (a.bytes <= maxTogetherBytes && b.bytes <= maxTogetherBytes && !isPrivate(unit.constants, a.address) &&
      !isPrivate(unit.constants, b.address))
    return recordNow<stillAsks>(unit, a, b);
  recordRest<stillAsks>(unit, a);
  recordRest<stillAsks>(unit, b);
#else
  (void)unit, (void)a, (void)b;
#endif
}
template <bool Asks = true, int = CUI_COMPILED_MODES>
CUI_HD inline void recordTogether(const DeviceUnit& unit, const Accessed& a, const Accessed& b,
                                  const Accessed& c) {
#if defined(__CUDA_ARCH__)
  if (Asks && asksAtSite && !isOn(unit)) return;
  constexpr bool stillAsks = Asks && !asksAtSite;
  if (a.bytes <= maxTogetherBytes && b.bytes <= maxTogetherBytes && c.bytes <= maxTogetherBytes &&
      !isPrivate(unit.constants, a.address) && !isPrivate(unit.constants, b.address) &&
      !isPrivate(unit.constants, c.address))
    return recordNow<stillAsks>(unit, a, b, c);
  recordRest<stillAsks>(unit, a);
  recordRest<stillAsks>(unit, b);
  recordRest<stillAsks>(unit, c);
#else
  (void)unit, (void)a, (void)b, (void)c;
#endif
}

CUI_OF_MODES CUI_HD inline void recordAccess(const DeviceUnit& unit, unsigned int site,
                                             const volatile void* address, std::size_t bytes) {
  recordTogether(unit, Accessed{site, static_cast<unsigned int>(bytes), address});
}

/// `value`: where the value lies; what was stored there is read back as it is.
CUI_OF_MODES CUI_HD inline void recordStore(const DeviceUnit& unit, unsigned int site,
                                            const volatile void* address, std::size_t bytes,
                                            const void* value) {
#if defined(__CUDA_ARCH__)
  const bool keep = unit.recordValues != 0 && bytes <= format::maxValueBytes;
  if (isOn(unit) && !isPrivate(unit.constants, address))
    recordNow<false>(unit, site, address, static_cast<unsigned int>(bytes), keep ? value : nullptr);
#else
  (void)unit, (void)site, (void)address, (void)bytes, (void)value;
#endif
}

CUI_OF_MODES CUI_HD inline void recordLoad(const DeviceUnit& unit, unsigned int site,
                                           const volatile void* address, std::size_t bytes) {
  recordStore(unit, site, address, bytes, const_cast<const void*>(address));
}

/// The calling lanes have passed a barrier of their block, or of all blocks. In profile mode nobody asks.
CUI_OF_MODES CUI_HD inline void blockBarrier(const DeviceUnit& unit, bool ofGrid) {
#if defined(__CUDA_ARCH__)
  if (!compilesTrace || __builtin_expect(askedAnew(unit.notesBarriers) == 0, 1)) return;
#if defined(CUI_RECORDER_LINKED)
  barrierAtSite(unit, ofGrid);
#else
  if (!isOn(unit) || ((unit.firstKey & warpSampleBit) != 0 && !isSampledWarp(unit.context))) return;
  const unsigned int mask = __activemask();
  CUI_SLOW_PATH(passBarrier)(unit.context, mask, ofGrid);
  __syncwarp(mask);
#endif
#else
  (void)unit, (void)ofGrid;
#endif
}

}  // namespace backend
}  // namespace cui

// What the launch forms name, under names that no program's macro is likely to have.
namespace cui {
using backend::announceLaunch;
using backend::blockBarrier;
using backend::concludeLaunch;
using backend::launchBlock;
using backend::launchGrid;
using backend::launchSharedBytes;
using backend::launchStream;

/// Of a barrier that gives the lanes a value, which has been evaluated when this is called.
CUI_OF_MODES CUI_HD inline int afterBarrier(const backend::DeviceUnit& unit, int value) {
  blockBarrier(unit, false);
  return value;
}
}  // namespace cui

#define CUI_BACKEND_UNIT(id, sites)                                                \
  namespace cui {                                                                  \
  namespace {                                                                      \
  CUI_CONSTANT ::cui::backend::UnitOfForm<::cui::backend::compiledForm> unitState; \
  inline const ::cui::backend::GlobalEntry* unitGlobals(std::size_t& count);       \
  inline const void* unitSymbol() {                                                \
    return ::cui::backend::globalAddress(unitState);                               \
  }                                                                                \
  ::cui::backend::HostUnit unitHost = {&ThisUnit::table,                           \
                                       false,                                      \
                                       &unitSymbol,                                \
                                       &unitGlobals,                               \
                                       &::cui::backend::launchCalibration,         \
                                       ::cui::backend::perThreadStreams,           \
                                       CUI_COMPILED_MODES,                         \
                                       ::cui::backend::isRecursive,                \
                                       false,                                      \
                                       0,                                          \
                                       0,                                          \
                                       0,                                          \
                                       nullptr,                                    \
                                       nullptr};                                   \
  inline ::cui::backend::HostUnit& linkedUnit() {                                  \
    ::cui::backend::linkUnit(unitHost);                                            \
    return unitHost;                                                               \
  }                                                                                \
  template <int>                                                                   \
  struct ThisLaunchUnit {                                                          \
    static ::cui::backend::HostUnit& launchUnit() { return linkedUnit(); }         \
  };                                                                               \
  typedef ::cui::LaunchCalls<ThisLaunchUnit<0>> CuiLaunchCall;                     \
  }                                                                                \
  }
#define CUI_BACKEND_REGISTER const bool unitRegistered = (linkedUnit(), true);

// A launch may come before the unit's own static initialiser has run: announceLaunch() links the unit.
#define CUI_LAUNCH(n, ...) \
  (::cui::announceLaunch(::cui::unitHost, n), __VA_ARGS__, ::cui::concludeLaunch(::cui::unitHost, n))
#define CUI_OUTER_LAUNCH(n, ...) CUI_LAUNCH(n, __VA_ARGS__)
#define CUI_LAUNCH_OPEN(...) __VA_ARGS__
#define CUI_LAUNCH_CLOSE(...) __VA_ARGS__
#define CUI_GRID(...) ::cui::launchGrid(__VA_ARGS__)
#define CUI_BLOCK(...) ::cui::launchBlock(__VA_ARGS__)
#define CUI_SHARED_BYTES(...) ::cui::launchSharedBytes(__VA_ARGS__)
#define CUI_STREAM(...) ::cui::launchStream(__VA_ARGS__)
#define CUI_CONFIGURATION(...)                                                                     \
  CUI_CONFIGURED(configuredGrid, 1, __VA_ARGS__), CUI_CONFIGURED(configuredBlock, 2, __VA_ARGS__), \
      CUI_CONFIGURED(configuredSharedBytes, 4, __VA_ARGS__),                                       \
      CUI_CONFIGURED(configuredStream, 8, __VA_ARGS__)
#define CUI_CONFIGURED(argument, bit, ...)    \
  ::cui::argument(::cui::isConfigured(bit) || \
                  ::cui::holdConfiguration(::cui::LaunchConfiguration(__VA_ARGS__)))
#define CUI_NULL(...) __VA_ARGS__
#define CUI_LIST(n, type, ...) __VA_ARGS__
#define CUI_BY_REFERENCE(...) __VA_ARGS__
#define CUI_BARRIER(...) (__VA_ARGS__, ::cui::blockBarrier(::cui::unitState, false))
#define CUI_BARRIER_VALUE(...) ::cui::afterBarrier(::cui::unitState, __VA_ARGS__)
#define CUI_GRID_BARRIER(...) (__VA_ARGS__, ::cui::blockBarrier(::cui::unitState, true))
#define CUI_DYNAMIC_SHARED
#ifdef CUI_RECORDER_LINKED  // then our ptxas limits the registers, knowing what the plain kernel needs
#define CUI_LAUNCH_BOUNDS
#else
#define CUI_LAUNCH_BOUNDS __attribute__((launch_bounds(1024)))
#endif
