#include "worker.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "cuinstrument/backend/cpu/exec_intrinsics.h"
#include "cuinstrument/host/abi.h"
#include "error_codes.h"
#include "units.h"

// Device code's built-in variables under the labels that exec_builtins.h gives them.
extern "C" {
__thread unsigned cuiThreadIdx[4] __attribute__((aligned(16)));  // the fourth is never read
__thread unsigned cuiBlockIdx[3];
// Outside kernels, where Thrust calls functors that are device code, there is one thread.
__thread unsigned cuiBlockDim[3] = {1, 1, 1};
__thread unsigned cuiGridDim[3] = {1, 1, 1};
__thread cui::backend::LaneLog* cuiLaneLog;
}

namespace cui::cpu {

namespace {

/// Rounds (each: every ready lane runs until it waits) that a warp gets before the next one's turn.
constexpr unsigned roundsPerTurn = 16;
/// Rounds that lanes wait at an __activemask for lanes that are still on their way.
constexpr unsigned activePatience = 1024;
/// Merges that may hold lanes back for others which only spin.
constexpr unsigned hungerPatience = 8;
/// Spins on at most this many addresses are recognised.
constexpr std::uint32_t maxSpinPeriod = 4;
constexpr unsigned atomicsPerYield = 64;
/// Accesses of a lane that is not recorded between two looks at whether it spins.
constexpr std::uint32_t skippedAccesses = 1024;
constexpr unsigned maxLaunchDepth = 24;

/// Whether a full log is a few addresses over and over.
bool looksLikeSpinning(const LaneLog& log) {
  for (std::uint32_t period = 1; period <= maxSpinPeriod && 2 * period <= log.count; ++period)
    if (log.address[0] == log.address[period] &&
        std::memcmp(log.address, log.address + period, (log.count - period) * sizeof log.address[0]) == 0)
      return true;
  return false;
}

std::string triple(const unsigned* v) {
  char text[40];
  std::snprintf(text, sizeof text, "(%u,%u,%u)", v[0], v[1], v[2]);
  return text;
}

}  // namespace

Worker::Worker() : fibers_(execOptions().stackBytes, fiberBody, this), encoder_(shared_, fibers_) {}

Worker& Worker::ofThisThread() {
  static thread_local std::unique_ptr<Worker> worker;
  if (!worker) worker = std::make_unique<Worker>();
  return *worker;
}

__thread Worker* runningWorker;

// --- blocks

void Worker::runBlocks(Grid& grid) {
  grid_ = &grid;
  runningWorker = this;
  std::memcpy(cuiBlockDim, grid.shape.block, sizeof cuiBlockDim);
  std::memcpy(cuiGridDim, grid.shape.grid, sizeof cuiGridDim);
  while (grid.error() == 0) {
    const std::uint64_t block = grid.nextBlock.fetch_add(1, std::memory_order_relaxed);
    if (block >= grid.blocks) break;
    runBlock(block);
    grid.blockEnded();
    grid.order.finish(block, records_);
  }
  grid.order.flush(records_);
  encoder_.takeCounts([&grid](std::uint32_t site, const SiteCount& count) {
    grid.count(site, count.requests, count.threadAccesses);
  });
  cuiLaneLog = nullptr;
  std::fill_n(cuiThreadIdx, 3, 0);
  std::fill_n(cuiBlockIdx, 3, 0);
  std::fill_n(cuiBlockDim, 3, 1);
  std::fill_n(cuiGridDim, 3, 1);
  runningWorker = nullptr;
  grid_ = nullptr;
}

void Worker::startBlock(std::uint64_t block) {
  block_ = block;
  blockRecorded_ =
      grid_->recording && format::isSampled(static_cast<std::uint32_t>(block), cuiOptions()->sampleLimit);
  const unsigned* grid = grid_->shape.grid;
  cuiBlockIdx[0] = static_cast<unsigned>(block % grid[0]);
  cuiBlockIdx[1] = static_cast<unsigned>(block / grid[0] % grid[1]);
  cuiBlockIdx[2] = static_cast<unsigned>(block / grid[0] / grid[1]);
  warpCount_ = (grid_->threads + warpLanes - 1) / warpLanes;
  for (unsigned w = 0; w < warpCount_; ++w) {
    Warp& warp = warps_[w];
    const unsigned lanes = grid_->threads - w * warpLanes;
    warp.exists = warp.ready = lanes >= warpLanes ? allLanes : (1u << lanes) - 1;
    warp.full = warp.yielded = warp.atBarrier = warp.atWarpOp = warp.finished = 0;
    warp.spinning = warp.held = warp.hungryRounds = warp.waitedRounds = 0;
  }
  std::memset(tileBarriers_, 0, sizeof tileBarriers_);
  std::memset(namedBarriers_, 0, sizeof namedBarriers_);
  shared_.reset(grid_->shape.sharedBytes);
  dynamicNames_.clear();
  encoder_.beginBlock(records_, grid_->launchKey, static_cast<std::uint32_t>(block));
  spinSinceNs_ = 0;
}

bool Worker::recordsWarp(unsigned warp) const {
  return blockRecorded_ && format::isSampled(format::warpNumber(static_cast<std::uint32_t>(block_), warp),
                                             cuiOptions()->warpSampleLimit);
}

void Worker::runBlock(std::uint64_t block) {
  startBlock(block);
  for (;;) {
    runPass();
    if (grid_->error() != 0) return abandonBlock();
    std::uint32_t live = 0, ready = 0;
    for (unsigned w = 0; w < warpCount_; ++w) {
      live |= warps_[w].live();
      ready |= warps_[w].ready;
    }
    if (live == 0) return forgetEndedLanes();
    if (releaseBarrier()) continue;
    if (ready == 0) {
      reportDeadlock();
      return abandonBlock();
    }
    checkSpinning();
  }
}

void Worker::runPass() {
  progressed_ = false;
  for (unsigned w = 0; w < warpCount_; ++w) {
    if (warps_[w].ready == 0) continue;
    encoder_.beginWarp(w);
    runWarp(warps_[w]);
    if (grid_->error() != 0) return;
  }
  if (records_.slots.size() >= SubmitOrder::spillSlots) grid_->order.spill(block_, records_);
}

bool Worker::releaseBarrier() {
  int arrived = 0, count = 0;
  for (unsigned w = 0; w < warpCount_; ++w) {
    const Warp& warp = warps_[w];
    if (warp.atBarrier != warp.live()) return false;  // exited threads count as arrived
    for (std::uint32_t left = warp.atBarrier; left != 0; left &= left - 1) {
      ++arrived;
      count += warp.predicate[firstLane(left)] != 0;
    }
  }
  if (arrived == 0) return false;
  const bool ofGrid = meetsOtherBlocks();
  if (ofGrid && !grid_->waitForAllBlocks()) return true;
  if (blockRecorded_) encoder_.barrier(ofGrid);
  for (unsigned w = 0; w < warpCount_; ++w) {
    Warp& warp = warps_[w];
    for (std::uint32_t left = warp.atBarrier; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      const std::uint8_t kind = warp.barrierKind[lane];
      warp.predicate[lane] = kind == cuiBarrierAnd  ? count == arrived
                             : kind == cuiBarrierOr ? count != 0
                                                    : count;
    }
    warp.ready |= warp.atBarrier;
    warp.atBarrier = 0;
  }
  spinSinceNs_ = 0;
  return true;
}

/// Whether the block's threads wait for the whole grid. All must, so one of them says it.
bool Worker::meetsOtherBlocks() const {
  for (unsigned w = 0; w < warpCount_; ++w)
    if (const std::uint32_t waiting = warps_[w].atBarrier; waiting != 0)
      return warps_[w].barrierKind[firstLane(waiting)] == cuiBarrierGrid;
  return false;
}

void Worker::checkSpinning() {
  if (progressed_) {
    spinSinceNs_ = 0;
    return;
  }
  const std::int64_t now = cuiNow();
  if (spinSinceNs_ == 0) spinSinceNs_ = now;
  if (now - spinSinceNs_ <= execOptions().spinLimitNs) return;
  grid_->fail(
      errorLaunchTimeout,
      "kernel " + std::string(grid_->kernel) + ": " + blockName() +
          ": its threads wait for memory that none of them will write (a flag set by a later block?); "
          "blocks run one after another per worker: raise CUINSTRUMENT_CPU_THREADS above " +
          std::to_string(grid_->workers) + ", or CUINSTRUMENT_CPU_SPIN_MS if the wait will end");
  abandonBlock();
}

void Worker::forgetEndedLanes() {
  if (!endedLanes_) return;
  endedLanes_ = false;
  for (unsigned w = 0; w < warpCount_; ++w)
    for (Fiber*& fiber : warps_[w].fiber) {
      if (fiber != nullptr) fibers_.abandon(fiber);
      fiber = nullptr;
    }
}

void Worker::abandonBlock() {
  endedLanes_ = false;
  for (unsigned w = 0; w < warpCount_; ++w) {
    Warp& warp = warps_[w];
    for (Fiber*& fiber : warp.fiber) {
      if (fiber != nullptr) fibers_.abandon(fiber);
      fiber = nullptr;
    }
    if (warp.logs != nullptr) {
      // What was logged did happen; the order in which it is recorded no longer matters.
      if (recordsWarp(w)) {
        encoder_.beginWarp(w);
        merger_.merge(*warp.logs, 0, 0, encoder_);
      }
      for (unsigned lane = 0; lane < warpLanes; ++lane)
        warp.logs->head[lane] = warp.logs->lane[lane].count = 0;
      releaseLogs(warp);
    }
    warp.finished = warp.exists;
    warp.ready = 0;
  }
}

// --- switching lanes

inline void Worker::enterLane(unsigned lane, const Fiber& fiber) {
  lane_ = lane;
  LaneLog* log = &warp_->logs->lane[lane];
  log->stackBase = fiber.stackBase;
  cuiLaneLog = log;
  const auto thread = static_cast<unsigned>(warp_ - warps_) * warpLanes + lane;
  std::memcpy(cuiThreadIdx, &grid_->threadIndex[thread], sizeof cuiThreadIdx);
}

inline void Worker::dispatch() {
  Warp& warp = *warp_;
  if (warp.ready == 0 || grid_->error() != 0) {
    // Another worker may have failed the grid just now, before a first lane was chosen.
    if (inLane()) fibers_.switchTo(fibers_.scheduler());
    return;
  }
  const unsigned lane = firstLane(warp.ready);
  Fiber* fiber = warp.fiber[lane];
  if (fiber == nullptr) fiber = fibers_.take();
  warp.fiber[lane] = nullptr;
  // What the lane after it needs comes meanwhile.
  if (const std::uint32_t others = warp.ready & (warp.ready - 1); others != 0 && inLane()) {
    const unsigned next = firstLane(others);
    __builtin_prefetch(&warp.logs->lane[next], 1);
    if (warp.fiber[next] != nullptr) warp.fiber[next]->prefetchLike(*fibers_.current());
  }
  enterLane(lane, *fiber);
  fibers_.switchTo(fiber);
}

/// Gives up the fiber until the lane is ready again. The caller has moved the lane out of `ready`.
inline void Worker::park() {
  warp_->fiber[lane_] = fibers_.current();
  dispatch();
}

// --- warps

void Worker::runWarp(Warp& warp) {
  warp_ = &warp;
  if (warp.logs == nullptr) {
    if (freeLogs_.empty()) {
      allLogs_.push_back(std::make_unique<WarpLogs>(execOptions().lockstep ? 1 : laneLogEntries));
      freeLogs_.push_back(allLogs_.back().get());
    }
    warp.logs = freeLogs_.back();
    freeLogs_.pop_back();
    const bool skips = !execOptions().lockstep && !recordsWarp(static_cast<unsigned>(&warp - warps_));
    for (LaneLog& log : warp.logs->lane) log.skip = skips ? skippedAccesses : 0;
  }
  for (unsigned round = 0; round < roundsPerTurn; ++round) {
    if (warp.ready != 0) dispatch();
    if (grid_->error() != 0) return;
    makeRoom(warp);
    if (completeWarpOps(warp) != 0) progressed_ = true;
    warp.ready |= warp.yielded;
    warp.yielded = 0;
    if (warp.atWarpOp != 0 && (warp.ready == 0 || ++warp.waitedRounds > activePatience)) {
      warp.waitedRounds = 0;
      if (completeActive(warp) != 0) progressed_ = true;
    }
    if (warp.ready == 0) break;
  }
  if (warp.ready == 0) releaseLogs(warp);  // nothing is running, so everything has been merged
}

void Worker::releaseLogs(Warp& warp) {
  freeLogs_.push_back(warp.logs);
  warp.logs = nullptr;
}

/// Merges the logs; lanes that have room again become ready.
void Worker::makeRoom(Warp& warp) {
  WarpLogs& logs = *warp.logs;
  if (!recordsWarp(static_cast<unsigned>(&warp - warps_))) {
    for (LaneLog& log : logs.lane) log.count = 0;
    warp.ready |= warp.full;
    warp.full = 0;
    return;
  }
  const std::uint32_t starved = warp.hungryRounds > hungerPatience ? warp.held : 0;
  // A lane that yielded logs on as well, unless others have waited long enough for it.
  const std::uint32_t running = warp.full | (warp.hungryRounds > hungerPatience ? 0 : warp.yielded);
  std::uint32_t moved = merger_.merge(logs, running, starved, encoder_);
  const std::uint32_t limit = logs.lane[0].limit;
  for (std::uint32_t left = moved; left != 0; left &= left - 1) {
    const unsigned lane = firstLane(left);
    LaneLog& log = logs.lane[lane];
    const std::uint32_t head = logs.head[lane], rest = log.count - head;
    if (rest > limit / 2) continue;
    if (rest != 0) {
      std::memmove(log.key, log.key + head, rest * sizeof log.key[0]);
      std::memmove(log.address, log.address + head, rest * sizeof log.address[0]);
      std::memmove(log.values, log.values + std::size_t{head} * format::maxValueBytes,
                   std::size_t{rest} * format::maxValueBytes);
    }
    log.count = rest;
    logs.head[lane] = 0;
  }
  std::uint32_t roomy = 0;
  for (std::uint32_t left = warp.full; left != 0; left &= left - 1)
    if (logs.lane[firstLane(left)].count < limit) roomy |= 1u << firstLane(left);
  warp.full &= ~roomy;
  warp.ready |= roomy;
  warp.held = warp.full;
  warp.hungryRounds = warp.held != 0 && (moved & ~warp.spinning) == 0 ? warp.hungryRounds + 1 : 0;
}

// --- lanes

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
    worker->dispatch();
  }
}

__attribute__((noinline)) void Worker::runLane() noexcept {
  fibers_.current()->stackBase = cuiLaneLog->stackBase = backend::stackPointer();
  grid_->thread(grid_->context);
}

int Worker::blockBarrier(int kind, int predicate) {
  Warp& warp = *warp_;
  const unsigned lane = lane_;
  warp.predicate[lane] = predicate;
  warp.barrierKind[lane] = static_cast<std::uint8_t>(kind);
  warp.ready &= ~(1u << lane);
  warp.atBarrier |= 1u << lane;
  park();
  return warp.predicate[lane];
}

// Few programs have such tiles, and no warp does: who waits lets the others run.
void Worker::tileBarrier(unsigned first, unsigned count) {
  TileBarrier& barrier = tileBarriers_[__builtin_ctz(count) - 6][first / 64];
  const unsigned phase = barrier.phase;
  if (++barrier.arrived == std::min(count, grid_->threads - first)) {
    barrier.arrived = 0;
    ++barrier.phase;
    progressed_ = true;
  }
  while (barrier.phase == phase) yield();
}

void Worker::namedBarrier(unsigned id, unsigned count, bool waits) {
  TileBarrier& barrier = namedBarriers_[id % 16];
  const unsigned phase = barrier.phase;
  barrier.arrived +=
      lane_ + 1 == static_cast<unsigned>(__builtin_popcount(warp_->exists)) ? warpLanes - lane_ : 1;
  if (barrier.arrived == count) {
    barrier.arrived = 0;
    ++barrier.phase;
    progressed_ = true;
  }
  while (waits && barrier.phase == phase) yield();
}

const void* const* Worker::tileExchange(unsigned first, unsigned count, const void* own) {
  tileValues_[static_cast<unsigned>(warp_ - warps_) * warpLanes + lane_] = own;
  tileBarrier(first, count);
  return tileValues_;
}

const WarpOp& Worker::warpOp(const WarpOp& op) {
  Warp& warp = *warp_;
  const unsigned lane = lane_;
  warp.op[lane] = op;
  warp.ready &= ~(1u << lane);
  warp.atWarpOp |= 1u << lane;
  park();
  return warp.op[lane];
}

void Worker::logFull() {
  const std::uint32_t lane = 1u << lane_;
  LaneLog& log = *cuiLaneLog;
  const bool inStep = log.limit == 1;
  const bool spins = !inStep && looksLikeSpinning(log);
  warp_->spinning = spins ? warp_->spinning | lane : warp_->spinning & ~lane;
  if (!spins) progressed_ = true;
  if (!spins && !inStep && !recordsWarp(static_cast<unsigned>(warp_ - warps_))) {
    // Nobody wants the log, and the others need no turn: the lane stays on its stack.
    log.count = 0;
    log.skip = skippedAccesses;
    return;
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

void Worker::fail(int error, const char* what) {
  grid_->fail(error, "kernel " + std::string(grid_->kernel) + ": " + where() + ": " + what);
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

void Worker::recordKernelEntry(std::uint32_t firstSite, unsigned kernel) {
  if (!grid_->recording || block_ != 0 || lane_ != 0 || warp_ != warps_) return;
  encoder_.announce(format::RecordType::kernelEntry, firstSite, kernel, grid_->threads,
                    static_cast<std::uint32_t>(grid_->blocks), 0);
}

void Worker::announceShared(std::uint32_t firstSite, unsigned variable, std::uintptr_t address,
                            std::size_t bytes) {
  bool fresh;
  const SharedWindow::Variable& placed = shared_.announce(address, bytes, fresh);
  if (bytes == 0) {  // dynamic arrays share one place: each name is announced once
    const std::uint64_t name = static_cast<std::uint64_t>(firstSite) << 32 | variable;
    fresh = std::find(dynamicNames_.begin(), dynamicNames_.end(), name) == dynamicNames_.end();
    if (fresh) dynamicNames_.push_back(name);
  }
  if (fresh && blockRecorded_)
    encoder_.announce(format::RecordType::sharedVariable, firstSite, placed.offset,
                      static_cast<std::uint32_t>(bytes), static_cast<std::uint32_t>(block_),
                      static_cast<std::int32_t>(variable));
}

// --- reports

std::string Worker::blockName() const {
  return "block " + triple(cuiBlockIdx);
}
std::string Worker::where() const {
  return blockName() + ", thread " + triple(cuiThreadIdx);
}

std::string Worker::lastAccess() const {
  if (cuiLaneLog->count == 0) return "";
  const std::uint64_t key = cuiLaneLog->key[cuiLaneLog->count - 1];
  const format::UnitTable* unit = nullptr;
  const auto index = static_cast<std::uint32_t>(key & ((1u << backend::AccessKey::siteBits) - 1));
  const format::SiteEntry* site = findSite(index, unit);
  if (site == nullptr) return "";
  return std::string(" at or after ") + unit->files[site->file].path + ":" + std::to_string(site->line) +
         ":" + std::to_string(site->column) + ": " + site->expression;
}

void Worker::reportDeadlock() {
  std::string who;
  auto describe = [&](const char* what, unsigned warpIndex, std::uint32_t lanes, const std::string& detail) {
    const unsigned thread = warpIndex * warpLanes + firstLane(lanes);
    who += (who.empty() ? "" : "; ") + std::to_string(__builtin_popcount(lanes)) + " of warp " +
           std::to_string(warpIndex) + " at " + what + detail + " (first: thread " +
           triple(grid_->threadIndex[thread].v) + ")";
  };
  unsigned shown = 0, hidden = 0;
  for (unsigned w = 0; w < warpCount_; ++w) {
    const Warp& warp = warps_[w];
    if (warp.live() == 0) continue;
    if (++shown > 4) {
      ++hidden;
      continue;
    }
    if (warp.atBarrier != 0) describe("__syncthreads", w, warp.atBarrier, "");
    for (std::uint32_t left = warp.atWarpOp; left != 0;) {
      const WarpOp& op = warp.op[firstLane(left)];
      std::uint32_t same = 0;
      for (std::uint32_t others = left; others != 0; others &= others - 1) {
        const WarpOp& other = warp.op[firstLane(others)];
        if (other.kind == op.kind && other.mask == op.mask) same |= 1u << firstLane(others);
      }
      char mask[32];
      std::snprintf(mask, sizeof mask, " mask 0x%08x", op.mask);
      describe(nameOf(op.kind), w, same, mask);
      left &= ~same;
    }
  }
  if (hidden != 0) who += "; and " + std::to_string(hidden) + " more warps";
  grid_->fail(errorLaunchTimeout, "kernel " + std::string(grid_->kernel) + ": " + blockName() +
                                      ": deadlock, these threads wait for others that will not come: " + who);
}

}  // namespace cui::cpu
