#include "pool.h"

#include "illegal_address.h"
#include "worker.h"

namespace cui::cpu {

WorkerPool& WorkerPool::instance() {
  static WorkerPool pool;
  return pool;
}

WorkerPool::~WorkerPool() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(Grid& grid) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    grid_ = &grid;
    wanted_ = busy_ = grid.workers - 1;
    ++round_;
    while (threads_.size() < wanted_) {
      const auto index = static_cast<unsigned>(threads_.size());
      threads_.emplace_back([this, index] { serve(index); });
    }
  }
  work_.notify_all();
  Worker::ofThisThread().runBlocks(grid);
  std::unique_lock<std::mutex> lock(mutex_);
  done_.wait(lock, [&] { return busy_ == 0; });
}

void WorkerPool::serve(unsigned index) {
  useSignalStack();
  std::uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    work_.wait(lock, [&] { return stop_ || (round_ != seen && index < wanted_); });
    if (stop_) return;
    seen = round_;
    Grid& grid = *grid_;
    lock.unlock();
    Worker::ofThisThread().runBlocks(grid);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace cui::cpu
