// The OS threads that run blocks when CUINSTRUMENT_CPU_THREADS is above one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "grid.h"

namespace cui::cpu {

class WorkerPool {
 public:
  static WorkerPool& instance();
  ~WorkerPool();

  /// Runs the grid on grid.workers threads, the calling one among them; returns when all have finished.
  void run(Grid& grid);

 private:
  void serve(unsigned index);

  std::mutex mutex_;
  std::condition_variable work_, done_;
  std::vector<std::thread> threads_;
  Grid* grid_ = nullptr;
  unsigned wanted_ = 0;  ///< threads of the pool that take part in the current grid
  unsigned busy_ = 0;
  std::uint64_t round_ = 0;
  bool stop_ = false;
};

}  // namespace cui::cpu
