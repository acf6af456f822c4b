// Runs blocks on one OS thread: the threads of a block as fibers, warp by warp, until all have finished.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "encode.h"
#include "fiber.h"
#include "grid.h"
#include "indices.h"
#include "merge.h"
#include "shared_window.h"
#include "warp.h"

namespace cui::cpu {

class Worker;
/// The worker whose lane is calling, null in host code: what Worker::running() returns.
extern __thread Worker* runningWorker;

/// Accesses that a warp which is not recorded makes between two looks at whether a lane spins.
constexpr std::uint32_t skippedAccesses = 1024;

class Worker {
 public:
  /// The calling OS thread's worker, made when first asked for.
  static Worker& ofThisThread();
  /// The worker whose lane is calling; null in host code.
  static Worker* running() { return runningWorker; }
  /// The same for a function that has no meaning on the host, where nvcc would not have compiled the call.
  static Worker& running(const char* function) {
    if (runningWorker == nullptr) refuseOnHost(function);
    return *runningWorker;
  }

  Worker();

  /// Takes blocks of the grid and runs them until there are none left or the grid has failed.
  void runBlocks(Grid& grid);

  // --- called by the running lane
  int blockBarrier(int kind, int predicate);
  /// Waits with the threads [first, first + count) of the block, a tile of 64 or more that is aligned to its
  /// size.
  void tileBarrier(unsigned first, unsigned count);
  /// PTX's barrier `id` for `count` threads of the block, whichever they are; who does not wait only arrives.
  /// Whole warps are counted: of the block's last one, also the threads that it lacks.
  void namedBarrier(unsigned id, unsigned count, bool waits);
  const void* const* tileExchange(unsigned first, unsigned count, const void* own);
  /// What the running lane asks of the lanes of its mask; after waitForWarp() it holds the result.
  WarpOp& ownOp(WarpOpKind kind, std::uint32_t mask);
  void waitForWarp();
  void logFull();
  void yield();
  void spinPoint();
  /// Ends the running lane in the midst of its function; what is on its stack is forgotten.
  [[noreturn]] void endLane();
  /// Fails the grid; the caller then ends its lane with stop(), once nothing it owns is on the stack,
  /// which is forgotten rather than unwound. `what` follows the kernel's and the thread's name.
  void fail(int error, const char* what);
  [[noreturn]] void stop();
  /// Runs it when the grid has ended; false: it would be nested too deeply.
  bool launchLater(LaterLaunch launch);
  void recordKernelEntry(std::uint32_t firstSite, unsigned kernel);
  void announceShared(std::uint32_t firstSite, unsigned variable, std::uintptr_t address, std::size_t bytes);
  bool isCooperative() const { return grid_->shape.cooperative; }
  /// Where the block is in its cluster.
  ClusterPlace place() const { return grid_->clusters.place(turn_); }
  bool isClustered() const { return grid_->shape.cluster[0] != 0; }
  /// Where the cluster's block of this rank has what the running block, or another of them, has at `address`.
  void* addressInCluster(const void* address, unsigned rank);
  unsigned rankInCluster(const void* address) const;
  void needCluster(unsigned x, unsigned y, unsigned z);
  const char* kernel() const { return grid_->kernel; }
  std::uint64_t gridNumber() const { return grid_->number; }
  unsigned lane() const { return lane_; }
  std::uintptr_t laneStackBase() const { return cuiLaneLog->stackBase; }
  /// The running lane's last recorded access, for messages: ` after file:line:column: expression` or empty.
  std::string lastAccess() const;
  Fiber* fiber() const { return fibers_.current(); }
  /// Whether device code is running (and not the scheduler between two lanes).
  bool inLane() const { return fibers_.current() != fibers_.scheduler(); }
  SharedWindow& shared() { return shared_; }
  const FiberPool& fibers() const { return fibers_; }
  /// `block (x,y,z), thread (x,y,z)` of the running lane.
  std::string where() const;

 private:
  [[noreturn]] static void refuseOnHost(const char* function);
  void runTurn(std::uint64_t turn);
  void runBlock(std::uint64_t block);
  void startBlock(std::uint64_t block);
  /// Runs the warp until all its lanes wait or have finished, or its turn is over.
  void runWarp(Warp& warp);
  /// Runs the warp's lanes until none is ready.
  void runReadyLanes();
  Fiber* nextLane();
  void leaveLane();
  void enterLane(unsigned lane, const Fiber& fiber);
  LaneLog& logOf(unsigned lane) const;
  [[noreturn]] static void fiberBody(void* self);
  void runLane() noexcept;
  void park();
  bool logs(const Warp& warp) const { return warp.recorded || execOptions().lockstep; }
  /// Of the block that runs.
  bool recordsWarp(unsigned warp) const;
  void makeRoom(Warp& warp);
  void runPass();
  bool releaseBarrier();
  int kindOfMeeting() const;
  bool meetOtherBlocks(int kind);
  void countVotes();
  void checkSpinning();
  void reportDeadlock();
  void abandonBlock();
  void forgetEndedLanes();
  void releaseLogs(Warp& warp);
  std::string blockName() const;

  /// Where the OS thread's variables are that device code knows: an archive's code asks for each thread-local
  /// variable as by a call, which nothing survives in registers.
  struct Own {
    backend::LaneLog** log;
    unsigned char* logs;
    unsigned* threadIndex;
  };
  const Own own_;
  FiberPool fibers_;
  SharedWindow shared_;
  std::vector<std::uint64_t> dynamicNames_;  ///< unit and number of the block's dynamic shared arrays
  Encoder encoder_;
  Merger merger_;
  BlockRecords records_;
  Grid* grid_ = nullptr;
  std::uint64_t turn_ = 0, block_ = 0;
  Cluster* cluster_ = nullptr;  ///< null: of one block
  bool blockRecorded_ = false;
  Warp warps_[32];
  unsigned warpCount_ = 0;
  Warp* warp_ = nullptr;     ///< the running one …
  unsigned lane_ = 0;        ///< … and its running lane
  bool progressed_ = false;  ///< a lane got past something in this pass
  bool endedLanes_ = false;  ///< endLane() was called in this block
  bool votesAtBarrier_ =
      false;  ///< one of the block's threads waits at a barrier that has a result, or for the grid
  std::int64_t spinSinceNs_ = 0;  ///< 0: not spinning
  unsigned spinPoints_ = 0;
  struct TileBarrier {
    unsigned arrived, phase;
  };
  TileBarrier tileBarriers_[5][16] = {};  ///< by the tile's size and its first thread
  TileBarrier namedBarriers_[16] = {};
  const void* tileValues_[1024] = {};  ///< by thread
  /// Its first log is that of whichever lane runs of warps that are not recorded: none needs what it holds
  /// after another has run.
  std::unique_ptr<WarpLogs> unrecorded_;
  std::vector<std::unique_ptr<WarpLogs>> allLogs_;
  std::vector<WarpLogs*> freeLogs_;
};

}  // namespace cui::cpu
