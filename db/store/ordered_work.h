// Does jobs on threads of its own and hands them back in the order they came in. Memory is bounded by its
// owner, who asks how much is under way.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace cui::db {

/// `Worker`: one for each thread and one for the owner's; `worker(job)` does a job.
template <class Job, class Worker>
class OrderedWork {
 public:
  /// 0 threads: submit() does the job itself. Threads start with the second job, so that small traces never
  /// have any.
  explicit OrderedWork(unsigned threads) : threadCount_(threads) {}
  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  void submit(Job job) {
    auto entry = std::make_unique<Entry>();
    entry->job = std::move(job);
    const bool isOwn = threadCount_ == 0 || ++submitted_ == 1;
    if (isOwn) {
      run(*entry, ownWorker_);
      entry->done = true;
    } else {
      while (threads_.size() < threadCount_) threads_.emplace_back([this] { work(); });
    }
    {
      const std::lock_guard lock(mutex_);
      entries_.push_back(std::move(entry));
      if (isOwn) ++started_;  // so have all in front of it
    }
    work_.notify_one();
  }
  /// Jobs that were submitted and not taken.
  std::size_t count() const { return entries_.size(); }
  /// The oldest job can be taken without waiting.
  bool ready() const {
    const std::lock_guard lock(mutex_);
    return !entries_.empty() && entries_.front()->done;
  }
  /// The oldest job; waits for it. `failure`: what doing it threw, or null.
  Job take(std::exception_ptr& failure) {
    std::unique_ptr<Entry> entry;
    {
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [this] { return entries_.front()->done; });
      entry = std::move(entries_.front());
      entries_.pop_front();
      --started_;
    }
    failure = entry->failure;
    return std::move(entry->job);
  }

 private:
  struct Entry {
    Job job;
    std::exception_ptr failure;
    bool done = false;
  };

  static void run(Entry& entry, Worker& worker) noexcept {
    try {
      worker(entry.job);
    } catch (...) {
      entry.failure = std::current_exception();
    }
  }

  void work() {
    Worker worker;
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [this] { return stop_ || started_ < entries_.size(); });
      if (stop_) return;
      Entry* const entry = entries_[started_++].get();
      lock.unlock();
      run(*entry, worker);
      lock.lock();
      entry->done = true;
      finished_.notify_one();
    }
  }

  const unsigned threadCount_;
  std::uint64_t submitted_ = 0;
  Worker ownWorker_;                            ///< the owner's thread's
  std::deque<std::unique_ptr<Entry>> entries_;  ///< changed by the owner, under the mutex
  std::size_t started_ = 0;                     ///< of entries_, from the front on
  mutable std::mutex mutex_;
  std::condition_variable work_, finished_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cui::db
