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
__thread unsigned cuiThreadIdx[4] __attribute__((aligned(16)));
__thread unsigned cuiBlockIdx[3];
// Outside kernels, where Thrust calls functors that are device code, there is one thread.
__thread unsigned cuiBlockDim[3] = {1, 1, 1};
__thread unsigned cuiGridDim[3] = {1, 1, 1};
__thread cui::backend::LaneLog* cuiLaneLog;
__thread unsigned char cuiLaneLogs;
__thread cui::backend::AnnouncedShared cuiAnnouncedShared[cui::backend::announcedShared];
}

namespace cui::cpu {

namespace {

/// Rounds (each: every ready lane runs until it waits) that a warp gets before the next one's turn.
constexpr unsigned roundsPerTurn = 16;
/// Rounds that lanes wait at an __activemask for lanes that are still on their way.
constexpr unsigned activePatience = 1024;
/// Merges that may hold lanes back for others which only spin.
constexpr unsigned hungerPatience = 8;

}  // namespace

Worker::Worker()
    : own_{&cuiLaneLog, &cuiLaneLogs, cuiThreadIdx},
      fibers_(execOptions().stackBytes, fiberBody, this),
      encoder_(shared_, fibers_),
      unrecorded_(std::make_unique<WarpLogs>(laneLogEntries)) {}

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
    const std::uint64_t turn = grid.nextTurn.fetch_add(1, std::memory_order_relaxed);
    if (turn >= grid.blocks) break;
    runTurn(turn);
    grid.order.finish(block_, records_);
  }
  grid.order.flush(records_);
  encoder_.takeCounts([&grid](std::uint32_t site, const SiteCount& count) {
    grid.count(site, count.requests, count.threadAccesses);
  });
  cuiLaneLog = nullptr;
  cuiLaneLogs = 0;
  std::fill_n(cuiThreadIdx, 3, 0);
  std::fill_n(cuiBlockIdx, 3, 0);
  std::fill_n(cuiBlockDim, 3, 1);
  std::fill_n(cuiGridDim, 3, 1);
  runningWorker = nullptr;
  grid_ = nullptr;
}

/// Runs the block that comes at this turn, and with it the others of its cluster.
void Worker::runTurn(std::uint64_t turn) {
  turn_ = turn;
  const std::uint64_t block = grid_->clusters.blockAt(turn);
  if (grid_->clusters.blocks() == 1) {
    runBlock(block);
    return grid_->blockEnded();
  }
  const auto failed = [this] { return grid_->error() != 0; };
  cluster_ = grid_->clusters.begin(turn, *this, failed);
  std::vector<const SharedWindow*> others;
  others.reserve(maxClusterBlocks);
  for (const Worker* other : cluster_->block)
    others.push_back(other != nullptr && other != this ? &other->shared_ : nullptr);
  encoder_.setOthers(std::move(others));
  runBlock(block);
  grid_->blockEnded();
  grid_->clusters.end(turn, *cluster_, failed);
  encoder_.setOthers({});
  cluster_ = nullptr;
}

void* Worker::addressInCluster(const void* address, unsigned rank) {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (cluster_ == nullptr) return const_cast<void*>(address);
  if (rank >= grid_->clusters.blocks()) return nullptr;
  for (const Worker* holder : cluster_->block)
    if (holder != nullptr && holder->shared_.holds(value))
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the same place in another copy
      return reinterpret_cast<void*>(cluster_->block[rank]->shared_.begin() +
                                     (value - holder->shared_.begin()));
  fail(errorNotSupported,
       "an address that is no shared memory of the program itself is looked for in a cluster");
  stop();
}

unsigned Worker::rankInCluster(const void* address) const {
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  if (cluster_ != nullptr)
    for (unsigned rank = 0; rank < grid_->clusters.blocks(); ++rank)
      if (cluster_->block[rank]->shared_.holds(value)) return rank;
  return place().rank;
}

void Worker::needCluster(unsigned x, unsigned y, unsigned z) {
  const unsigned wanted[3] = {x, y, z};
  const unsigned* const has = grid_->shape.cluster;
  if (std::equal(wanted, wanted + 3, has)) return;
  if (x == 0)
    fail(errorNotSupported, "its __cluster_dims__ are in a macro's text, where they cannot be read");
  else if (has[0] == 0)
    grid_->needCluster(wanted);
  else
    fail(errorInvalidClusterSize, "launched with other clusters than the kernel's own __cluster_dims__");
  stop();
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
    warp.recorded = recordsWarp(w);
    warp.threadIndex = &grid_->threadIndex[std::size_t{w} * warpLanes];
  }
  votesAtBarrier_ = false;
  unrecorded_->lane[0].skip = skippedAccesses;
  std::memset(cuiAnnouncedShared, 0, sizeof cuiAnnouncedShared);
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
  std::uint32_t waiting = 0;
  for (unsigned w = 0; w < warpCount_; ++w) {
    if (warps_[w].atBarrier != warps_[w].live()) return false;  // exited threads count as arrived
    waiting |= warps_[w].atBarrier;
  }
  if (waiting == 0) return false;
  const int meeting = votesAtBarrier_ ? kindOfMeeting() : cuiBarrierPlain;
  if (!meetOtherBlocks(meeting)) return true;
  if (blockRecorded_) encoder_.barrier(meeting == cuiBarrierGrid);
  if (votesAtBarrier_) countVotes();
  votesAtBarrier_ = false;
  for (unsigned w = 0; w < warpCount_; ++w) {
    warps_[w].ready |= warps_[w].atBarrier;
    warps_[w].atBarrier = 0;
  }
  spinSinceNs_ = 0;
  return true;
}

/// Gives the threads at the barrier its result.
void Worker::countVotes() {
  int arrived = 0, count = 0;
  for (unsigned w = 0; w < warpCount_; ++w)
    for (std::uint32_t left = warps_[w].atBarrier; left != 0; left &= left - 1) {
      ++arrived;
      count += warps_[w].predicate[firstLane(left)] != 0;
    }
  for (unsigned w = 0; w < warpCount_; ++w)
    for (std::uint32_t left = warps_[w].atBarrier; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      const std::uint8_t kind = warps_[w].barrierKind[lane];
      warps_[w].predicate[lane] = kind == cuiBarrierAnd  ? count == arrived
                                  : kind == cuiBarrierOr ? count != 0
                                                         : count;
    }
}

/// Whether the block's threads wait for the whole grid, or for the cluster. All must, so one of them says it.
int Worker::kindOfMeeting() const {
  for (unsigned w = 0; w < warpCount_; ++w)
    if (const std::uint32_t waiting = warps_[w].atBarrier; waiting != 0)
      return warps_[w].barrierKind[firstLane(waiting)];
  return cuiBarrierPlain;
}

/// False: the grid has failed meanwhile.
bool Worker::meetOtherBlocks(int kind) {
  if (kind == cuiBarrierGrid) return grid_->waitForAllBlocks();
  if (kind != cuiBarrierCluster || cluster_ == nullptr) return true;
  return grid_->clusters.meet(*cluster_, [this] { return grid_->error() != 0; });
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
      if (warp.recorded) {
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

// --- warps

void Worker::runWarp(Warp& warp) {
  warp_ = &warp;
  if (warp.logs == nullptr && logs(warp)) {
    if (freeLogs_.empty()) {
      allLogs_.push_back(std::make_unique<WarpLogs>(execOptions().lockstep ? 1 : laneLogEntries));
      freeLogs_.push_back(allLogs_.back().get());
    }
    warp.logs = freeLogs_.back();
    freeLogs_.pop_back();
  }
  for (unsigned round = 0; round < roundsPerTurn; ++round) {
    runReadyLanes();
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
  // Nothing is running, so everything has been merged.
  if (warp.ready == 0 && warp.logs != nullptr) releaseLogs(warp);
}

void Worker::releaseLogs(Warp& warp) {
  freeLogs_.push_back(warp.logs);
  warp.logs = nullptr;
}

/// Merges the logs; lanes that have room again become ready.
void Worker::makeRoom(Warp& warp) {
  if (!warp.recorded) {
    if (warp.logs != nullptr)
      for (LaneLog& log : warp.logs->lane) log.count = 0;
    warp.ready |= warp.full;
    warp.full = 0;
    return;
  }
  WarpLogs& logs = *warp.logs;
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
  cuiAnnouncedShared[variable % backend::announcedShared] = {
      reinterpret_cast<const volatile void*>(address),  // NOLINT(performance-no-int-to-ptr)
      firstSite, variable};
}

}  // namespace cui::cpu
