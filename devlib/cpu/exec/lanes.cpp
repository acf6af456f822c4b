// What lanes do: run, wait, go on. Every wait is one switch, from the lane straight to the next one; so these
// functions are inlined into those that device code calls.
#include <algorithm>
#include <cstring>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "worker.h"

namespace cui::cpu {

namespace {

/// Spins on at most this many addresses are recognised.
constexpr std::uint32_t maxSpinPeriod = 4;
constexpr unsigned atomicsPerYield = 64;
constexpr unsigned maxLaunchDepth = 24;

/// Whether a full log is a few addresses over and over.
bool looksLikeSpinning(const LaneLog& log) {
  for (std::uint32_t period = 1; period <= maxSpinPeriod && 2 * period <= log.count; ++period)
    if (log.address[0] == log.address[period] &&
        std::memcmp(log.address, log.address + period, (log.count - period) * sizeof log.address[0]) == 0)
      return true;
  return false;
}

}  // namespace

inline LaneLog& Worker::logOf(unsigned lane) const {
  return warp_->logs != nullptr ? warp_->logs->lane[lane] : unrecorded_->lane[0];
}

inline void Worker::enterLane(unsigned lane, const Fiber& fiber) {
  lane_ = lane;
  LaneLog& log = logOf(lane);
  log.stackBase = fiber.stackBase;
  if (warp_->logs == nullptr) log.count = 0;
  *own_.log = &log;
  *own_.logs = log.skip == 0;
  std::memcpy(own_.threadIndex, warp_->threadIndex + lane, sizeof cuiThreadIdx);
}

/// Takes the warp's first ready lane off the list of those that wait; its fiber, to be switched to.
inline Fiber* Worker::nextLane() {
  Warp& warp = *warp_;
  const unsigned lane = firstLane(warp.ready);
  Fiber* fiber = warp.fiber[lane];
  if (fiber == nullptr) {
    fiber = fibers_.take();
  } else {
    warp.fiber[lane] = nullptr;
    // What the lane after it needs comes meanwhile.
    if (const std::uint32_t others = warp.ready & (warp.ready - 1); others != 0 && inLane()) {
      const unsigned next = firstLane(others);
      if (warp.logs != nullptr) __builtin_prefetch(&warp.logs->lane[next], 1);
      if (warp.fiber[next] != nullptr) warp.fiber[next]->prefetchLike(*fibers_.current());
    }
  }
  enterLane(lane, *fiber);
  return fiber;
}

/// Leaves the running lane for the warp's next one, or for the scheduler if none is ready.
inline __attribute__((always_inline)) void Worker::leaveLane() {
  fibers_.switchTo(warp_->ready != 0 && grid_->error() == 0 ? nextLane() : fibers_.scheduler());
}

/// Gives up the fiber until the lane is ready again. The caller has moved the lane out of `ready`.
inline __attribute__((always_inline)) void Worker::park() {
  warp_->fiber[lane_] = fibers_.current();
  const std::uint32_t carry = (*own_.log)->carry;
  leaveLane();
  (*own_.log)->carry = carry;  // another lane has had this log meanwhile, or this lane has another one now
}

void Worker::runReadyLanes() {
  // Another worker may have failed the grid just now.
  if (warp_->ready != 0 && grid_->error() == 0) fibers_.switchTo(nextLane());
}

/// Runs the lane it is resumed for, and then further lanes of the warp for as long as they are new: a
/// lane that never waits costs no switch.
void Worker::fiberBody(void* self) {
  auto* worker = static_cast<Worker*>(self);
  Fiber* fiber = worker->fibers_.current();
  for (;;) {
    worker->runLane();
    Warp& warp = *worker->warp_;
    const std::uint32_t lane = 1u << worker->lane_;
    warp.ready &= ~lane;
    warp.finished |= lane;
    worker->progressed_ = true;
    if (warp.ready != 0 && worker->grid_->error() == 0) {
      const unsigned next = firstLane(warp.ready);
      if (warp.fiber[next] == nullptr) {
        worker->enterLane(next, *fiber);
        continue;
      }
    }
    worker->fibers_.give(fiber);
    worker->leaveLane();
  }
}

__attribute__((noinline)) void Worker::runLane() noexcept {
  fibers_.current()->stackBase = (*own_.log)->stackBase = backend::stackPointer();
  grid_->thread(grid_->context);
}

inline __attribute__((always_inline)) int Worker::blockBarrier(int kind, int predicate) {
  Warp& warp = *warp_;
  const unsigned lane = lane_;
  warp.predicate[lane] = predicate;
  warp.barrierKind[lane] = static_cast<std::uint8_t>(kind);
  votesAtBarrier_ |= kind != cuiBarrierPlain;
  warp.ready &= ~(1u << lane);
  warp.atBarrier |= 1u << lane;
  park();
  return warp.predicate[lane];
}

inline WarpOp& Worker::ownOp(WarpOpKind kind, std::uint32_t mask) {
  WarpOp& op = warp_->op[lane_];
  op.kind = kind;
  op.variant = 0;
  op.mask = mask;
  op.function = nullptr;
  return op;
}

inline __attribute__((always_inline)) void Worker::waitForWarp() {
  const std::uint32_t lane = 1u << lane_;
  warp_->ready &= ~lane;
  warp_->atWarpOp |= lane;
  park();
}

void Worker::logFull() {
  const std::uint32_t lane = 1u << lane_;
  LaneLog& log = *cuiLaneLog;
  const bool inStep = log.limit == 1;
  const bool spins = !inStep && looksLikeSpinning(log);
  warp_->spinning = spins ? warp_->spinning | lane : warp_->spinning & ~lane;
  if (!spins) progressed_ = true;
  if (warp_->logs == nullptr) {
    log.count = 0;
    log.skip = skippedAccesses;
    cuiLaneLogs = 0;
    if (!spins) return;  // the others need no turn: the lane stays on its stack
  }
  warp_->ready &= ~lane;
  warp_->full |= lane;
  park();
}

void Worker::yield() {
  const std::uint32_t lane = 1u << lane_;
  warp_->spinning |= lane;
  warp_->ready &= ~lane;
  warp_->yielded |= lane;
  park();
}

void Worker::spinPoint() {
  if (++spinPoints_ % atomicsPerYield == 0) yield();
}

void Worker::endLane() {
  const std::uint32_t lane = 1u << lane_;
  warp_->ready &= ~lane;
  warp_->finished |= lane;
  progressed_ = endedLanes_ = true;
  for (;;) park();  // the fiber is the lane's until the block ends: nobody resumes it
}

void Worker::stop() {
  warp_->ready &= ~(1u << lane_);
  warp_->atBarrier |= 1u << lane_;
  for (;;) park();  // the block is abandoned: nobody resumes this
}

bool Worker::launchLater(LaterLaunch launch) {
  if (grid_->depth == maxLaunchDepth) return false;
  launch.block = block_;
  grid_->launchLater(std::move(launch));
  return true;
}

}  // namespace cui::cpu

using cui::cpu::WarpOp;
using cui::cpu::WarpOpKind;
using cui::cpu::Worker;

extern "C" {

void cuiLaneLogFull(void) {
  Worker::running()->logFull();
}

int cuiBlockBarrier(CuiBarrier kind, int predicate) {
  return Worker::running("__syncthreads").blockBarrier(kind, predicate);
}

int cuiIsCooperative(void) {
  return Worker::running("grid_group::is_valid").isCooperative() ? 1 : 0;
}

void cuiGridBarrier(void) {
  Worker::running("grid_group::sync").blockBarrier(cuiBarrierGrid, 0);
}

void cuiClusterBarrier(void) {
  Worker::running("cluster_group::sync").blockBarrier(cuiBarrierCluster, 0);
}

void cuiWarpBarrier(unsigned mask) {
  Worker& self = Worker::running("__syncwarp");
  self.ownOp(WarpOpKind::barrier, mask);
  self.waitForWarp();
}

unsigned long long cuiWarpShuffle(unsigned mask, CuiShuffle kind, unsigned long long value, unsigned operand,
                                  int width) {
  Worker& self = Worker::running("__shfl_sync");
  WarpOp& op = self.ownOp(WarpOpKind::shuffle, mask);
  op.variant = static_cast<std::uint8_t>(kind);
  op.width = static_cast<std::uint16_t>(width);
  op.value = value;
  op.operand = operand;
  self.waitForWarp();
  return op.result;
}

unsigned cuiWarpBallot(unsigned mask, int predicate) {
  Worker& self = Worker::running("__ballot_sync");
  WarpOp& op = self.ownOp(WarpOpKind::ballot, mask);
  op.value = predicate != 0;
  self.waitForWarp();
  return static_cast<unsigned>(op.result);
}

unsigned cuiWarpMatchAny(unsigned mask, unsigned long long value) {
  Worker& self = Worker::running("__match_any_sync");
  WarpOp& op = self.ownOp(WarpOpKind::matchAny, mask);
  op.value = value;
  self.waitForWarp();
  return static_cast<unsigned>(op.result);
}

unsigned cuiWarpMatchAll(unsigned mask, unsigned long long value, int* predicate) {
  Worker& self = Worker::running("__match_all_sync");
  WarpOp& op = self.ownOp(WarpOpKind::matchAll, mask);
  op.value = value;
  self.waitForWarp();
  *predicate = static_cast<int>(op.predicate);
  return static_cast<unsigned>(op.result);
}

unsigned cuiWarpReduce(unsigned mask, CuiReduction kind, unsigned value) {
  Worker& self = Worker::running("__reduce_sync");
  WarpOp& op = self.ownOp(WarpOpKind::reduce, mask);
  op.variant = static_cast<std::uint8_t>(kind);
  op.value = value;
  self.waitForWarp();
  return static_cast<unsigned>(op.result);
}

void cuiWarpTogether(unsigned mask, CuiTogether function, void* argument) {
  Worker& self = Worker::running("a matrix operation of the warp");
  WarpOp& op = self.ownOp(WarpOpKind::together, mask);
  op.function = function;
  op.value = reinterpret_cast<std::uintptr_t>(argument);
  self.waitForWarp();
}

unsigned cuiWarpActive(const char* file, unsigned line) {
  Worker& self = Worker::running("__activemask");
  WarpOp& op = self.ownOp(WarpOpKind::active, 0);
  op.file = file;
  op.line = line;
  op.depth = self.laneStackBase() - reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  self.waitForWarp();
  return static_cast<unsigned>(op.result);
}

void cuiLaneYield(void) {
  Worker::running("__nanosleep").yield();
}

void cuiSpinPoint(void) {
  if (Worker* running = Worker::running()) running->spinPoint();
}
}
