// Thread block clusters: which blocks make one, and how they meet. The blocks of a cluster run at once, each
// on a worker of its own, whose copy of the program's thread-local storage is the block's shared memory.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>

#include "cuinstrument/backend/cpu/exec_launch.h"

namespace cui::cpu {

class Worker;

/// What devices have; more than 8 only if the program asks for it, which nobody checks here.
constexpr unsigned maxClusterBlocks = 16;

/// An offset in shared memory says in its upper bits in whose it is: a block's rank and 1, or nothing for the
/// own.
constexpr unsigned blockOfOffsetShift = 24;
constexpr std::uint64_t offsetInBlock(std::uint64_t offset, std::uint64_t rank) {
  return (offset & ((std::uint64_t{1} << blockOfOffsetShift) - 1)) | (rank + 1) << blockOfOffsetShift;
}

/// Where a block is.
struct ClusterPlace {
  unsigned extent[3], block[3];    ///< of the cluster, in blocks, and where the block is in it
  unsigned clusters[3], index[3];  ///< the grid in clusters, and where the cluster is in it
  unsigned rank;
};

/// The blocks of one cluster while they run, by rank; null: has not begun.
struct Cluster {
  std::array<Worker*, maxClusterBlocks> block = {};
  unsigned begun = 0, ended = 0, left = 0, waiting = 0;
  std::uint64_t phase = 0;  ///< times that they have all met
};

/// The clusters of one grid.
class Clusters {
 public:
  explicit Clusters(const backend::LaunchShape& shape);

  /// Blocks of a cluster; 1: the grid has none.
  unsigned blocks() const { return blocks_; }
  /// Workers that can run the grid, at least one cluster at a time, if `wanted` are.
  unsigned workersFor(unsigned wanted) const {
    return wanted < 2 * blocks_ ? blocks_ : wanted / blocks_ * blocks_;
  }
  /// The linear index of the block that comes at this turn: clusters go one after another, in their order.
  std::uint64_t blockAt(std::uint64_t turn) const;
  ClusterPlace place(std::uint64_t turn) const;

  /// The three return false if `failed()`, which what waits is told by wake(). `begin` returns when all
  /// blocks of the cluster have; `meet`, when all that have not ended meet; `end`, when all have ended, so
  /// that a block's memory stays for as long as another may use it.
  template <class Failed>
  Cluster* begin(std::uint64_t turn, Worker& worker, Failed failed) {
    std::unique_lock<std::mutex> lock(mutex_);
    Cluster& cluster = running_[turn / blocks_];
    cluster.block[turn % blocks_] = &worker;
    if (++cluster.begun == blocks_) changed_.notify_all();
    changed_.wait(lock, [&] { return cluster.begun == blocks_ || failed(); });
    return &cluster;
  }
  template <class Failed>
  bool meet(Cluster& cluster, Failed failed) {
    std::unique_lock<std::mutex> lock(mutex_);
    const std::uint64_t phase = cluster.phase;
    ++cluster.waiting;
    letGo(cluster);
    changed_.wait(lock, [&] { return cluster.phase != phase || failed(); });
    return !failed();
  }
  template <class Failed>
  void end(std::uint64_t turn, Cluster& cluster, Failed failed) {
    std::unique_lock<std::mutex> lock(mutex_);
    ++cluster.ended;
    letGo(cluster);
    if (cluster.ended == blocks_) changed_.notify_all();
    changed_.wait(lock, [&] { return cluster.ended == blocks_ || failed(); });
    if (++cluster.left == blocks_) running_.erase(turn / blocks_);
  }
  void wake() {
    std::lock_guard<std::mutex> lock(mutex_);
    changed_.notify_all();
  }

 private:
  void letGo(Cluster& cluster) {
    if (cluster.waiting == 0 || cluster.waiting + cluster.ended < blocks_) return;
    cluster.waiting = 0;
    ++cluster.phase;
    changed_.notify_all();
  }

  const backend::LaunchShape& shape_;
  unsigned extent_[3];    ///< of a cluster, in blocks
  unsigned clusters_[3];  ///< of the grid, in clusters
  unsigned blocks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Cluster> running_;
};

}  // namespace cui::cpu
