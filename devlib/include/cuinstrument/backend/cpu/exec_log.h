// The access log of one lane: where instrumented code leaves its accesses on the CPU backend. The
// executor merges the logs of a warp's 32 lanes into warp records (devlib/cpu/exec/README.md).
//
// Appending is inline because it is the cost of every recorded access. Depends on the standard library's
// types only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cui {
namespace backend {

/// Accesses a lane may log before it must yield, so that a warp's logs stay in the first-level cache.
constexpr std::uint32_t laneLogEntries = 64;

/// What makes two lanes' accesses "the same": a key of site, size and stack depth, in one word.
///   bits 0-23 process-wide site index | 24-34 bytes (0: above 2,047) | 35 has a value | 36-63 depth / 16
/// The depth (bytes of stack below the kernel's entry) tells activations of a recursive function apart.
struct AccessKey {
  static constexpr std::uint32_t siteBits = 24;
  static constexpr std::uint32_t bytesBits = 11;
  static constexpr std::uint64_t valueBit = 1ull << 35;
  static constexpr std::uint32_t depthShift = 36;
};

struct LaneLog {
  std::uint32_t count;       ///< entries in use
  std::uint32_t limit;       ///< the lane yields when count reaches it: laneLogEntries, or 1 in lockstep
  std::uintptr_t stackBase;  ///< stack pointer at the kernel's entry in this lane
  unsigned char* values;     ///< laneLogEntries * 16 bytes; entry i's value at i * 16
  std::uint32_t skip;        ///< see isSkipped()
  std::uint32_t carry;       ///< of add.cc and its kin in inline assembly
  std::uint64_t key[laneLogEntries];
  std::uint64_t address[laneLogEntries];
};

/// A shared variable that a thread of the running block has announced: the others need not.
struct AnnouncedShared {
  const volatile void* address;
  std::uint32_t firstSite, variable;
};
constexpr unsigned announcedShared = 8;

/// Where a texture fetch or surface access touched memory: its first texel. 0 bytes: nowhere.
struct LastTexel {
  std::uintptr_t address;
  std::uint32_t bytes;
};

}  // namespace backend
}  // namespace cui

extern "C" {
/// The calling thread's last one, which the form around the call (device/texture.h) records.
extern __thread ::cui::backend::LastTexel cuiLastTexel;
/// The running lane's log; null outside kernels, which is how host code is told from device code.
extern __thread ::cui::backend::LaneLog* cuiLaneLog;
/// Whether the running lane logs each access (1), or has its log's `skip` (0).
extern __thread unsigned char cuiLaneLogs;
/// By the number of the variable; of its unit's others, some have the same place.
extern __thread ::cui::backend::AnnouncedShared cuiAnnouncedShared[::cui::backend::announcedShared];
/// The log reached its limit: lets other lanes run; returns when there is room again.
void cuiLaneLogFull(void);
/// Ends the running grid with cudaErrorLaunchFailure; `what` is in the line about it.
[[noreturn]] void cuiFailKernel(const char* what);
}

namespace cui {
namespace backend {

inline std::uintptr_t stackPointer() {
  std::uintptr_t sp;
#if defined(__x86_64__)
  __asm__("mov %%rsp, %0" : "=r"(sp));
#elif defined(__aarch64__)
  __asm__("mov %0, sp" : "=r"(sp));
#else
  sp = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
#endif
  return sp;
}

/// Where a warp is not recorded, accesses are looked at only to find lanes that spin, which must let others
/// run. What a lane may spin on (volatile objects, atomics, memory behind fences) is counted in `skip`; when
/// it has counted down, the lane logs every access until its log is full, and the executor looks at them.
inline bool isSkipped(LaneLog* log) {
  if (__builtin_expect(log->skip == 0, 1)) return false;
  if (--log->skip == 0) cuiLaneLogs = 1;
  return true;
}
inline void countFence() {
  if (cuiLaneLog != nullptr) isSkipped(cuiLaneLog);
}

template <class... T>
struct IsAnyVolatile : std::false_type {};
template <class T, class... Others>
struct IsAnyVolatile<T, Others...>
    : std::integral_constant<bool, std::is_volatile<T>::value || IsAnyVolatile<Others...>::value> {};
/// Whether an access of objects of these types is to be logged or counted.
template <class... T>
inline bool concernsLog() {
  return IsAnyVolatile<T...>::value ? cuiLaneLog != nullptr : cuiLaneLogs != 0;
}

/// The next free entry of the running lane's log, its key and address filled in.
inline std::uint32_t appendAccess(LaneLog* log, std::uint32_t site, const volatile void* address,
                                  std::size_t bytes, std::uint64_t flags) {
  const std::uint32_t entry = log->count;
  const std::uint64_t size = bytes < (1u << AccessKey::bytesBits) ? bytes : 0;
  log->key[entry] = site | size << AccessKey::siteBits | flags |
                    static_cast<std::uint64_t>((log->stackBase - stackPointer()) >> 4)
                        << AccessKey::depthShift;
  log->address[entry] = reinterpret_cast<std::uintptr_t>(address);
  log->count = entry + 1;
  return entry;
}

}  // namespace backend
}  // namespace cui
