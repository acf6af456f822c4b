// Encodes segments on threads of its own and hands the chunks back in the order of submission. Memory is
// bounded by its owner, who asks how much is under way.
#pragma once

#include <cstddef>

#include "db/store/chunk_encoder.h"
#include "db/store/ordered_work.h"

namespace cui::db {

class EncoderPool {
 public:
  /// 0 threads: submit() encodes on the caller's.
  explicit EncoderPool(unsigned threads) : work_(threads) {}

  void submit(Segment segment);
  bool empty() const { return work_.count() == 0; }
  /// Segments that were submitted and not taken.
  std::size_t count() const { return work_.count(); }
  /// Bytes of the segments that were submitted and not taken.
  std::size_t bytes() const { return bytes_; }
  /// The oldest chunk can be taken without waiting.
  bool ready() const { return work_.ready(); }
  /// The oldest chunk; waits for it. `segment`: its memory comes back, empty. Throws what encoding threw.
  EncodedChunk take(Segment& segment);

 private:
  struct Job {
    Segment segment;
    EncodedChunk chunk;
  };
  struct Worker {
    void operator()(Job& job) { job.chunk = encoder.encode(job.segment); }
    ChunkEncoder encoder;
  };
  OrderedWork<Job, Worker> work_;
  std::size_t bytes_ = 0;
};

}  // namespace cui::db
