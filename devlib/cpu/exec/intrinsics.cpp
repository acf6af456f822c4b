// The entry points that device code calls (exec_log.h, exec_intrinsics.h, exec_atomics.h, backend.h).
#include <cstdio>
#include <cstdlib>

#include "cuinstrument/backend/cpu/backend.h"
#include "error_codes.h"
#include "worker.h"

using cui::cpu::WarpOp;
using cui::cpu::WarpOpKind;
using cui::cpu::Worker;

namespace {

/// The running lane's worker. Device-only functions have no meaning on the host, where nvcc would not
/// have compiled the call.
Worker& worker(const char* function) {
  Worker* running = Worker::running();
  if (running == nullptr) {
    std::fprintf(stderr, "cuinstrument: %s was called from host code\n", function);
    std::abort();
  }
  return *running;
}

WarpOp makeOp(WarpOpKind kind, std::uint32_t mask) {
  WarpOp op = {};
  op.kind = kind;
  op.mask = mask;
  return op;
}

}  // namespace

extern "C" {

void cuiLaneLogFull(void) {
  Worker::running()->logFull();
}

int cuiBlockBarrier(CuiBarrier kind, int predicate) {
  return worker("__syncthreads").blockBarrier(kind, predicate);
}

int cuiIsCooperative(void) {
  return worker("grid_group::is_valid").isCooperative() ? 1 : 0;
}

void cuiGridBarrier(void) {
  worker("grid_group::sync").blockBarrier(cuiBarrierGrid, 0);
}

void cuiTileBarrier(unsigned first, unsigned count) {
  worker("a tile's sync").tileBarrier(first, count);
}

const void* const* cuiTileExchange(unsigned first, unsigned count, const void* own) {
  return worker("a tile's exchange").tileExchange(first, count, own);
}

void cuiWarpBarrier(unsigned mask) {
  worker("__syncwarp").warpOp(makeOp(WarpOpKind::barrier, mask));
}

unsigned long long cuiWarpShuffle(unsigned mask, CuiShuffle kind, unsigned long long value, unsigned operand,
                                  int width) {
  WarpOp op = makeOp(WarpOpKind::shuffle, mask);
  op.variant = static_cast<std::uint8_t>(kind);
  op.width = static_cast<std::uint16_t>(width);
  op.value = value;
  op.operand = operand;
  return worker("__shfl_sync").warpOp(op).result;
}

unsigned cuiWarpBallot(unsigned mask, int predicate) {
  WarpOp op = makeOp(WarpOpKind::ballot, mask);
  op.value = predicate != 0;
  return static_cast<unsigned>(worker("__ballot_sync").warpOp(op).result);
}

unsigned cuiWarpMatchAny(unsigned mask, unsigned long long value) {
  WarpOp op = makeOp(WarpOpKind::matchAny, mask);
  op.value = value;
  return static_cast<unsigned>(worker("__match_any_sync").warpOp(op).result);
}

unsigned cuiWarpMatchAll(unsigned mask, unsigned long long value, int* predicate) {
  WarpOp op = makeOp(WarpOpKind::matchAll, mask);
  op.value = value;
  const WarpOp& done = worker("__match_all_sync").warpOp(op);
  *predicate = static_cast<int>(done.predicate);
  return static_cast<unsigned>(done.result);
}

unsigned cuiWarpReduce(unsigned mask, CuiReduction kind, unsigned value) {
  WarpOp op = makeOp(WarpOpKind::reduce, mask);
  op.variant = static_cast<std::uint8_t>(kind);
  op.value = value;
  return static_cast<unsigned>(worker("__reduce_sync").warpOp(op).result);
}

void cuiWarpTogether(unsigned mask, CuiTogether function, void* argument) {
  WarpOp op = makeOp(WarpOpKind::together, mask);
  op.function = function;
  op.value = reinterpret_cast<std::uintptr_t>(argument);
  worker("a matrix operation of the warp").warpOp(op);
}

unsigned cuiWarpActive(const char* file, unsigned line) {
  Worker& self = worker("__activemask");
  WarpOp op = makeOp(WarpOpKind::active, 0);
  op.file = file;
  op.line = line;
  op.depth = self.laneStackBase() - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return static_cast<unsigned>(self.warpOp(op).result);
}

unsigned cuiLaneIndex(void) {
  return worker("the lane index").lane();
}

void cuiLaneYield(void) {
  worker("__nanosleep").yield();
}

void cuiSpinPoint(void) {
  if (Worker* running = Worker::running()) running->spinPoint();
}

int cuiAddressSpace(const void* address) {
  Worker& self = worker("an address space test");
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  std::uint64_t offset;
  if (self.fibers().ownsAddress(value)) return static_cast<int>(cui::format::Space::local);
  if (self.shared().mayContain(value) && self.shared().translate(value, 1, offset))
    return static_cast<int>(cui::format::Space::shared);
  return static_cast<int>(cui::format::Space::global);
}

unsigned long long cuiSharedOffset(const void* address) {
  std::uint64_t offset = 0;
  worker("__cvta_generic_to_shared").shared().translate(reinterpret_cast<std::uintptr_t>(address), 1, offset);
  return offset;
}

void* cuiSharedAddress(unsigned long long offset) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): offsets are integers to CUDA, too
  return reinterpret_cast<void*>(worker("__cvta_shared_to_generic").shared().address(offset));
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
  Worker& self = worker(what);
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
