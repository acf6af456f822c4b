// One launch while it runs: what its workers share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "block_output.h"
#include "cluster.h"
#include "cuinstrument/backend/cpu/exec_launch.h"
#include "cuinstrument/host/abi.h"

namespace cui::cpu {

/// x, y, z; padded so that it is copied at once.
struct alignas(16) Index3 {
  unsigned v[4];
};

/// A launch that a kernel asked for. It comes after the grid, whose end it delays as CUDA says.
struct LaterLaunch {
  std::uint64_t block;   ///< that asked …
  std::uint64_t number;  ///< … and in which order
  const format::UnitTable* unit;
  unsigned entry;
  backend::LaunchShape shape;
  void (*thread)(void* context);
  std::shared_ptr<void> context;
};

struct Grid {
  Grid(const backend::LaunchShape& launchShape, unsigned maxWorkers);

  const backend::LaunchShape& shape;
  void (*thread)(void* context) = nullptr;
  void* context = nullptr;
  const char* kernel = "";
  const std::uint64_t number;  ///< %gridid: of the process's grids, in the order of their beginning; from 1
  std::uint32_t launchKey = 0;
  bool recording = false;
  unsigned depth = 0;  ///< 0: launched by the host

  unsigned threads;      ///< per block
  std::uint64_t blocks;  ///< in the grid
  Clusters clusters;
  unsigned workers;  ///< CUINSTRUMENT_CPU_THREADS, at most one per block; cooperative: one each
  std::vector<Index3> threadIndex;         ///< of each thread of a block, in linear order
  std::atomic<std::uint64_t> nextTurn{0};  ///< blocks come in the order that Clusters::blockAt() gives
  SubmitOrder order;

  /// Ends the grid: the first error counts. `message` is one line for stderr.
  void fail(int error, const std::string& message);
  /// A worker's counts of one site; hostlib gets the sums when the grid has ended.
  void count(std::uint32_t site, std::uint64_t requests, std::uint64_t threadAccesses);
  void reportCounts();
  void launchLater(LaterLaunch launch);
  /// In the order of the blocks that asked; those for the tail (cudaStreamTailLaunch) last.
  std::vector<LaterLaunch> takeLaterLaunches();
  /// Returns when every block that has not ended has called it (true), or the grid has failed.
  bool waitForAllBlocks();
  void blockEnded();
  int error() const { return error_.load(std::memory_order_relaxed); }
  /// Ends the grid, of which nothing has happened yet: its kernel wants clusters of these extents.
  void needCluster(const unsigned (&extent)[3]);
  /// What needCluster() was told; null: it was not called.
  const unsigned* neededCluster() const { return needed_[0] != 0 ? needed_ : nullptr; }

 private:
  std::atomic<int> error_{0};
  std::mutex mutex_;
  std::condition_variable allArrived_;
  std::uint64_t running_;      ///< blocks that have not ended …
  std::uint64_t arrived_ = 0;  ///< … and how many of them wait for all
  std::uint64_t phase_ = 0;    ///< times they have all met
  std::map<std::uint32_t, CuiCounter> counts_;
  std::vector<LaterLaunch> later_;
  unsigned needed_[3] = {};
};

/// Settings from the environment, read once; the number of workers is hostlib's to tell.
struct ExecOptions {
  std::size_t stackBytes;    ///< CUINSTRUMENT_CPU_STACK_KB: stack of one device thread
  bool lockstep;             ///< CUINSTRUMENT_CPU_LOCKSTEP=1
  std::int64_t spinLimitNs;  ///< CUINSTRUMENT_CPU_SPIN_MS: how long a block may spin without progress
};
const ExecOptions& execOptions();

}  // namespace cui::cpu
