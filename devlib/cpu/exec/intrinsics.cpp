// The entry points that device code calls (exec_log.h, exec_intrinsics.h, exec_atomics.h, backend.h).
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuinstrument/backend/cpu/backend.h"
#include "error_codes.h"
#include "worker.h"

using cui::cpu::Worker;

/// Weak: a program's own is used in its place (exec_builtins.h).
// NOLINTNEXTLINE(readability-redundant-declaration): it adds the attribute
extern const int warpSize __attribute__((weak));
const int warpSize = 32;

extern "C" {

void cuiEndThread(void) {
  Worker::running("the end of a thread").endLane();
}

void* cuiCopyBytes(void* to, const void* from, std::size_t bytes) {
  return std::memcpy(to, from, bytes);
}

unsigned cuiLaneIndex(void) {
  return Worker::running("the lane index").lane();
}

int cuiAddressSpace(const void* address) {
  Worker& self = Worker::running("an address space test");
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  std::uint64_t offset;
  if (self.fibers().ownsAddress(value) || cui::cpu::isInIndex(value))
    return static_cast<int>(cui::format::Space::local);
  if (self.shared().mayContain(value) && self.shared().translate(value, 1, offset))
    return static_cast<int>(cui::format::Space::shared);
  return static_cast<int>(cui::format::Space::global);
}

unsigned long long cuiSharedOffset(const void* address) {
  Worker& self = Worker::running("__cvta_generic_to_shared");
  std::uint64_t offset = 0;
  if (self.shared().translate(reinterpret_cast<std::uintptr_t>(address), 1, offset)) return offset;
  const unsigned rank = self.rankInCluster(address), own = self.place().rank;
  if (rank == own) return offset;
  const void* const here = self.addressInCluster(address, own);
  self.shared().translate(reinterpret_cast<std::uintptr_t>(here), 1, offset);
  return cui::cpu::offsetInBlock(offset, rank);
}

void* cuiSharedAddress(unsigned long long offset) {
  Worker& self = Worker::running("__cvta_shared_to_generic");
  const std::uint64_t block = offset >> cui::cpu::blockOfOffsetShift;
  offset -= block << cui::cpu::blockOfOffsetShift;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): offsets are integers to CUDA, too
  auto* const here = reinterpret_cast<void*>(self.shared().address(offset));
  return block == 0 || here == nullptr ? here : self.addressInCluster(here, static_cast<unsigned>(block - 1));
}

long long cuiClock(void) {
  return cuiNow();
}
long long cuiGlobalTimer(void) {
  return cuiNow();
}

void cuiTrap(void) {
  cuiFailKernel("__trap");
}
void cuiFailKernel(const char* what) {
  Worker& self = Worker::running(what);
  self.fail(cui::cpu::errorLaunchFailure, what);
  self.stop();
}

/// assert() in device code ends the grid with cudaErrorAssert, in host code the program; this takes the
/// C library's place in programs linked with the CPU backend.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
void __assert_fail(const char* assertion, const char* file, unsigned line, const char* function) {
  std::fflush(stdout);
  if (Worker* running = Worker::running()) {
    std::fprintf(stderr, "%s:%u: %s: %s Assertion `%s` failed.\n", file, line, function,
                 running->where().c_str(), assertion);
    running->fail(cui::cpu::errorAssert, "assertion failed");
    running->stop();
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, assertion);
  std::abort();
}
}

namespace cui::backend {

void recordKernelEntry(std::uint32_t firstSite, unsigned kernelNumber) {
  Worker::running()->recordKernelEntry(firstSite, kernelNumber);
}

void announceShared(std::uint32_t firstSite, unsigned variable, const volatile void* address,
                    std::size_t bytes) {
  Worker::running()->announceShared(firstSite, variable, reinterpret_cast<std::uintptr_t>(address), bytes);
}

}  // namespace cui::backend
