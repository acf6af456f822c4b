// The CPU backend's primitives for instrumented code: device/access.h says what each must do.
//
// A kernel is an ordinary function that the executor (devlib/cpu/exec) calls once per CUDA thread, each
// on a fiber where it has to wait. Recording appends to the running lane's log (exec_log.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

// Before user code, as nvcc includes it before the first line of a .cu file.
#include "cuinstrument/backend/cpu/toolkit/cuda_runtime.h"

#include "cuinstrument/backend/cpu/exec_launch.h"
#include "cuinstrument/backend/cpu/exec_log.h"
#include "cuinstrument/device/accessed.h"
#include "cuinstrument/format/unit.h"
#include "cuinstrument/host/abi.h"

#define CUI_HD
/// The running lane's log is null outside kernels: host code records nothing.
#define CUI_RECORDING (cuiLaneLog != nullptr)
#define CUI_RECORDS(...) (::cui::backend::concernsLog<__VA_ARGS__>())
// Tests ask for it (tests/e2e/loops.py): 1 if it succeeds, 0 if it never does. With CUI_PARTS_IN_FRONT as
// profiles have it, too.
#if defined(CUI_LOOPS_IN_FRONT)
#define CUI_RECORDS_LOOPS 1
#else
#define CUI_RECORDS_LOOPS 0
#endif

namespace cui {
namespace backend {

/// Per unit, in its anonymous namespace: first of its process-wide site indices.
struct UnitState {
  std::uint32_t firstSite;
};

/// A row of the epilogue's CUI_TABLE_GLOBALS: where a file-scope variable lives (for a __shared__ one,
/// in the thread that registers).
struct GlobalEntry {
  std::uint32_t variable;
  const volatile void* address;
  std::size_t bytes;
};
template <class T>
const volatile void* globalAddress(const volatile T& variable) {
  return &reinterpret_cast<const volatile char&>(variable);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
/// The address of `reference` although its class may overload operator&. Only a C cast takes all qualifiers:
/// a member may be `__restrict__`.
template <class T>
const volatile void* addressOf(T& reference) {
  return (const volatile void*)__builtin_addressof(reference);
}
#pragma GCC diagnostic pop
/// Whether a function of this __PRETTY_FUNCTION__ is an instantiation of a template: `f() [with T = …]`.
template <std::size_t N>
constexpr bool isInstantiation(const char (&function)[N]) {
  for (std::size_t i = 0; i + 5 < N; ++i)
    if (function[i] == '[' && function[i + 1] == 'w' && function[i + 2] == 'i' && function[i + 3] == 't' &&
        function[i + 4] == 'h' && function[i + 5] == ' ')
      return true;
  return false;
}

/// Registers the unit with hostlib and the executor; writes the unit's first site index to `state`.
bool registerUnit(const format::UnitTable& unit, const GlobalEntry* globals, std::size_t globalCount,
                  UnitState& state);

/// Out-of-line halves of kernelEntry and sharedVariable.
void recordKernelEntry(std::uint32_t firstSite, unsigned kernelNumber);
void announceShared(std::uint32_t firstSite, unsigned variable, const volatile void* address,
                    std::size_t bytes);

inline void recordAccess(const UnitState& unit, unsigned site, const volatile void* address,
                         std::size_t bytes) {
  LaneLog* log = cuiLaneLog;
  if (isSkipped(log)) return;
  appendAccess(log, unit.firstSite + site, address, bytes, 0);
  if (log->count >= log->limit) cuiLaneLogFull();
}

template <bool Asks>
void recordTogether(const UnitState& unit, const Accessed& a) {
  recordAccess(unit, a.site, a.address, a.bytes);
}
template <bool Asks>
void recordTogether(const UnitState& unit, const Accessed& a, const Accessed& b) {
  recordTogether<Asks>(unit, a);
  recordTogether<Asks>(unit, b);
}
template <bool Asks>
void recordTogether(const UnitState& unit, const Accessed& a, const Accessed& b, const Accessed& c) {
  recordTogether<Asks>(unit, a, b);
  recordTogether<Asks>(unit, c);
}

#if CUI_RECORDS_LOOPS
inline void besideLoop() {}
inline void unlessTold() {}
inline bool isOn(const UnitState&) {
  return cuiLaneLog != nullptr;
}
/// Records have an order here: only tests tell a part of a loop's in front of it.
inline bool isProfiledNow(const UnitState& unit) {
#if defined(CUI_PARTS_IN_FRONT)
  return isOn(unit);
#else
  return static_cast<void>(unit), false;
#endif
}
/// Access by access, as each lane would have them.
template <std::size_t Count>
void recordTimes(const UnitState& unit, const LoopPlace (&places)[Count], unsigned times) {
  for (unsigned time = 0; time < times; ++time)
    for (const LoopPlace& place : places) {
      const auto first = reinterpret_cast<std::intptr_t>(place.cuiFirst);
      const std::intptr_t step = reinterpret_cast<std::intptr_t>(place.cuiSecond) - first;
      recordAccess(unit, place.site, reinterpret_cast<const void*>(first + step * time), place.bytes);
    }
}
template <std::size_t Count>
bool recordLoop(const UnitState& unit, const LoopPlace (&places)[Count], unsigned times) {
  for (const LoopPlace& place : places) {
    const auto first = reinterpret_cast<std::intptr_t>(place.cuiFirst);
    const std::intptr_t step = reinterpret_cast<std::intptr_t>(place.cuiSecond) - first;
    if (reinterpret_cast<std::intptr_t>(place.cuiLast) != first + step * (times - 1l)) return false;
  }
  if (CUI_LOOPS_IN_FRONT) recordTimes(unit, places, times);
  return CUI_LOOPS_IN_FRONT;
}
template <std::size_t Count>
void recordFixedLoop(const UnitState& unit, const LoopPlace (&places)[Count], unsigned times) {
  recordTimes(unit, places, times);
}
#endif

inline void recordStore(const UnitState& unit, unsigned site, const volatile void* address, std::size_t bytes,
                        const void* value) {
  if (bytes > format::maxValueBytes) return recordAccess(unit, site, address, bytes);
  LaneLog* log = cuiLaneLog;
  if (isSkipped(log)) return;
  const std::uint32_t entry = appendAccess(log, unit.firstSite + site, address, bytes, AccessKey::valueBit);
  __builtin_memcpy(log->values + std::size_t{entry} * format::maxValueBytes, value, bytes);
  if (log->count >= log->limit) cuiLaneLogFull();
}

inline void recordLoad(const UnitState& unit, unsigned site, const volatile void* address,
                       std::size_t bytes) {
  recordStore(unit, site, address, bytes, const_cast<const void*>(address));
}

/// Of the grid's first thread only.
inline void kernelEntry(const UnitState& unit, unsigned kernelNumber) {
  if ((threadIdx.x | blockIdx.x) == 0 && cuiLaneLog != nullptr)
    recordKernelEntry(unit.firstSite, kernelNumber);
}

/// What the kernel's __cluster_dims__ says, to the grid, which was launched without. No number: it cannot be
/// read.
inline void needCluster(unsigned x = 0, unsigned y = 1, unsigned z = 1) {
  if (cuiLaneLog != nullptr) cuiNeedCluster(x, y, z);
}

inline void sharedVariable(const UnitState& unit, unsigned variable, const volatile void* address,
                           std::size_t bytes) {
  if (cuiLaneLog == nullptr) return;
  const AnnouncedShared& last = cuiAnnouncedShared[variable % announcedShared];
  if (last.address != address || last.firstSite != unit.firstSite || last.variable != variable)
    announceShared(unit.firstSite, variable, address, bytes);
}

}  // namespace backend
}  // namespace cui

/// For the epilogue, behind all of a program's macros (device/tables.h).
namespace cui {
using backend::registerUnit;
using CuiUnitState = backend::UnitState;
template <class... Extent>
void cuiNeedClusterOf(Extent... extent) {
  backend::needCluster(static_cast<unsigned>(extent)...);
}
template <std::size_t N>
constexpr bool cuiIsInstantiation(const char (&function)[N]) {
  return backend::isInstantiation(function);
}
template <bool holds>
struct CuiConstant {
  static constexpr bool cuiHolds = holds;
};
}  // namespace cui

/// For what depends on the host side of launches (backend/cuda/host_side.h); here there is one.
#define CUI_HOST_SIDE in_units

#define CUI_BACKEND_UNIT(id, sites)                                             \
  namespace cui {                                                               \
  namespace {                                                                   \
  ::cui::CuiUnitState unitState = {0};                                          \
  bool cuiRegisterThisUnit();                                                   \
  inline const ::cui::format::UnitTable& cuiRegisteredTable() {                 \
    cuiRegisterThisUnit();                                                      \
    return unitTable();                                                         \
  }                                                                             \
  template <int>                                                                \
  struct ThisLaunchUnit {                                                       \
    static const ::cui::format::UnitTable& launchUnit() { return unitTable(); } \
  };                                                                            \
  typedef ::cui::LaunchCalls<ThisLaunchUnit<0>> CuiLaunchCall;                  \
  }                                                                             \
  }

/// In the epilogue (device/tables.h): registers the unit before main(), or before a launch that comes
/// earlier.
#define CUI_BACKEND_REGISTER                                                                              \
  bool cuiRegisterThisUnit() {                                                                            \
    CuiSize cuiCount = 0;                                                                                 \
    const CuiGlobalEntry* const cuiGlobals = unitGlobals(cuiCount);                                       \
    static const bool cuiDone = ::cui::registerUnit(unitTable(), cuiGlobals, cuiCount, ::cui::unitState); \
    return cuiDone;                                                                                       \
  }                                                                                                       \
  const bool unitRegistered = cuiRegisterThisUnit();

#define CUI_LAUNCH(n, ...) \
  ((::cui::cuiLaunchAt(::cui::cuiRegisteredTable(), n) << [&](auto&... cuiArgument) { __VA_ARGS__)
/// Outside any function's body, where a lambda may capture nothing, and need not.
#define CUI_OUTER_LAUNCH(n, ...) \
  ((::cui::cuiLaunchAt(::cui::cuiRegisteredTable(), n) << [](auto&... cuiArgument) { __VA_ARGS__)
#define CUI_LAUNCH_OPEN(...)                                                             \
  (::cui::cuiArgumentOf(cuiArgument)...), ::cui::cuiEndBeforeParameters(cuiArgument...); \
  } << ::cui::cuiLaunchShape(
#define CUI_LAUNCH_CLOSE(...) ))
/// The name of a kernel whose address becomes a void pointer.
#define CUI_KERNEL_POINTER(n, ...) \
  ::cui::cuiKernelPointer(::cui::cuiPlace(::cui::unitTable(), n), __VA_ARGS__)
#define CUI_GRID(...) __VA_ARGS__
#define CUI_BLOCK(...) __VA_ARGS__
#define CUI_SHARED_BYTES(...) __VA_ARGS__
#define CUI_STREAM(...) __VA_ARGS__
#define CUI_CONFIGURATION(...) __VA_ARGS__
/// A literal 0 or NULL would arrive in the kernel's argument pack as an integer.
#define CUI_NULL(...) nullptr
/// A list in braces has no type to arrive there with: it initialises an object of its parameter's.
#define CUI_LIST(n, type, ...) ::cui::CuiParameter<CUI_LIST_TYPE type> __VA_ARGS__
#define CUI_LIST_TYPE(...) __VA_ARGS__
/// The kernel writes to the argument itself, not to what a pack has of it.
#define CUI_BY_REFERENCE(...) ::cui::cuiByReference(__VA_ARGS__)
/// Barriers are functions of ours here, which record themselves.
#define CUI_BARRIER(...) __VA_ARGS__
#define CUI_BARRIER_VALUE(...) __VA_ARGS__
/// Every dynamic shared array, whatever its name and type, is the one buffer of the worker thread.
#define CUI_DYNAMIC_SHARED __asm__("cuiDynamicShared")
#define CUI_SHARED_DYNAMIC(number, ...)                                                                      \
  do {                                                                                                       \
    CUI_SHARED_ALIAS(__VA_ARGS__)                                                                            \
    ::cui::sharedVariable(::cui::unitState, number, reinterpret_cast<const volatile char*>(__VA_ARGS__), 0); \
  } while (false)
/// The same in named namespaces: `5outer5inner`.
#define CUI_SHARED_DYNAMIC_IN(number, spaces, ...)                                                           \
  do {                                                                                                       \
    CUI_SHARED_ALIAS_IN(spaces, __VA_ARGS__)                                                                 \
    ::cui::sharedVariable(::cui::unitState, number, reinterpret_cast<const volatile char*>(__VA_ARGS__), 0); \
  } while (false)
#if defined(__clang__)
#define CUI_SHARED_ALIAS(...)
#define CUI_SHARED_ALIAS_IN(...)
#else
// GCC forgets the label of a block-scope declaration when it instantiates a template, so the assembler is
// told what the name means there: the variable (in the global or its unnamed namespace) and, since GCC
// then calls it unchecked, its initialiser.
#define CUI_SHARED_ALIAS(...)                                                       \
  if (::cui::CuiConstant<::cui::cuiIsInstantiation(__PRETTY_FUNCTION__)>::cuiHolds) \
    __asm__ volatile(".set " CUI_STRING(__VA_ARGS__) ", cuiDynamicShared\n\t"                    \
                     ".set _ZTH%c0" CUI_STRING(__VA_ARGS__) ", cuiNoTlsInit\n\t"                 \
                     ".set _ZN12_GLOBAL__N_1%c0" CUI_STRING(__VA_ARGS__) "E, cuiDynamicShared"   \
                     :                                                                           \
                     : "i"(sizeof(CUI_STRING(__VA_ARGS__)) - 1));
#define CUI_SHARED_ALIAS_IN(spaces, ...)                                            \
  if (::cui::CuiConstant<::cui::cuiIsInstantiation(__PRETTY_FUNCTION__)>::cuiHolds) \
    __asm__ volatile(".set _ZN" #spaces "%c0" CUI_STRING(__VA_ARGS__) "E, cuiDynamicShared\n\t"      \
                     ".set _ZTHN" #spaces "%c0" CUI_STRING(__VA_ARGS__) "E, cuiNoTlsInit"            \
                     :                                                                               \
                     : "i"(sizeof(CUI_STRING(__VA_ARGS__)) - 1));
#define CUI_STRING(...) CUI_STRING_OF(__VA_ARGS__)
#define CUI_STRING_OF(...) #__VA_ARGS__
#endif
#define CUI_LAUNCH_BOUNDS
#define CUI_CLUSTER(count, ...) ::cui::cuiNeedClusterOf(__VA_ARGS__)
/// The `alignas` of a __shared__ variable, where GCC accepts only its own attribute.
#define CUI_ALIGNED(...) CUI_ALIGNED_TO
#define CUI_ALIGNED_TO(...) __attribute__((__aligned__(__VA_ARGS__)))
/// The same, where it names a type.
#define CUI_ALIGNED_LIKE(...) CUI_ALIGNED_AS
#define CUI_ALIGNED_AS(...) __attribute__((__aligned__(alignof(__VA_ARGS__))))
