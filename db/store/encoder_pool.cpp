// See encoder_pool.h.
#include "db/store/encoder_pool.h"

#include <algorithm>
#include <exception>

namespace cui::db {

EncoderPool::~EncoderPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void EncoderPool::encode(Job& job, ChunkEncoder& encoder) noexcept {
  try {
    job.chunk = encoder.encode(job.segment);
  } catch (...) {
    job.failure = std::current_exception();
  }
}

void EncoderPool::submit(Segment segment) {
  auto job = std::make_unique<Job>();
  job->segment = std::move(segment);
  bytes_ += job->segment.bytes();
  if (threadCount_ == 0 || ++submitted_ == 1) {
    encode(*job, ownEncoder_);
    job->started = job->done = true;
  } else {
    while (threads_.size() < threadCount_) threads_.emplace_back([this] { run(); });
  }
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  work_.notify_one();
}

void EncoderPool::run() {
  ChunkEncoder encoder;
  std::unique_lock lock(mutex_);
  for (;;) {
    Job* job = nullptr;
    work_.wait(lock, [&] {
      const auto found = std::find_if(jobs_.begin(), jobs_.end(), [](const auto& j) { return !j->started; });
      job = found == jobs_.end() ? nullptr : found->get();
      return stop_ || job;
    });
    if (stop_) return;
    job->started = true;
    lock.unlock();
    encode(*job, encoder);
    lock.lock();
    job->done = true;
    finished_.notify_one();
  }
}

bool EncoderPool::ready() const {
  const std::lock_guard lock(mutex_);
  return !jobs_.empty() && jobs_.front()->done;
}

EncodedChunk EncoderPool::take(Segment& segment) {
  std::unique_ptr<Job> job;
  {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return jobs_.front()->done; });
    job = std::move(jobs_.front());
    jobs_.pop_front();
  }
  bytes_ -= job->segment.bytes();
  segment = std::move(job->segment);
  segment.clear();
  if (job->failure) std::rethrow_exception(job->failure);
  return std::move(job->chunk);
}

}  // namespace cui::db
