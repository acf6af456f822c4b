// Encodes segments on threads of its own and hands the chunks back in the order of submission. Memory is
// bounded by its owner, who asks how much is under way.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/store/chunk_encoder.h"

namespace cui::db {

class EncoderPool {
 public:
  /// 0 threads: submit() encodes on the caller's. Threads start with the second segment, so that small
  /// traces never have any.
  explicit EncoderPool(unsigned threads) : threadCount_(threads) {}
  ~EncoderPool();
  EncoderPool(const EncoderPool&) = delete;
  EncoderPool& operator=(const EncoderPool&) = delete;

  void submit(Segment segment);
  bool empty() const { return jobs_.empty(); }
  /// Bytes of the segments that were submitted and not taken.
  std::size_t bytes() const { return bytes_; }
  /// The oldest chunk can be taken without waiting.
  bool ready() const;
  /// The oldest chunk; waits for it. `segment`: its memory comes back, empty. Throws what encoding threw.
  EncodedChunk take(Segment& segment);

 private:
  struct Job {
    Segment segment;
    EncodedChunk chunk;
    std::exception_ptr failure;
    bool started = false, done = false;
  };
  void run();
  static void encode(Job& job, ChunkEncoder& encoder) noexcept;

  const unsigned threadCount_;
  std::size_t bytes_ = 0;
  std::uint64_t submitted_ = 0;
  ChunkEncoder ownEncoder_;                ///< the caller's thread's
  std::deque<std::unique_ptr<Job>> jobs_;  ///< changed by the caller, under the mutex
  mutable std::mutex mutex_;
  std::condition_variable work_, finished_;
  bool stop_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace cui::db
