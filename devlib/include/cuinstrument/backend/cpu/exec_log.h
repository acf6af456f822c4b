// The access log of one lane: where instrumented code leaves its accesses on the CPU backend. The
// executor merges the logs of a warp's 32 lanes into warp records (devlib/cpu/exec/README.md).
//
// Appending is inline because it is the cost of every recorded access. Depends on nothing but <cstdint>.
#pragma once

#include <cstddef>
#include <cstdint>

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
  std::uint32_t skip;        ///< accesses that need no entry, because the warp is not recorded
  std::uint32_t carry;       ///< of add.cc and its kin in inline assembly
  std::uint64_t key[laneLogEntries];
  std::uint64_t address[laneLogEntries];
};

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

/// Of a warp that is not recorded, most accesses are only counted.
inline bool isSkipped(LaneLog* log) {
  if (__builtin_expect(log->skip == 0, 1)) return false;
  --log->skip;
  return true;
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
