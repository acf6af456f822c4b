// Encodes segments on threads of its own and hands the chunks back in the order of submission. Memory is
// bounded by its owner, who asks how much is under way.
#pragma once

#include <cstddef>
#include <vector>

#include "db/store/chunk_encoder.h"
#include "db/store/ordered_work.h"

namespace cui::db {

class EncoderPool {
 public:
  /// 0 threads: submit() encodes on the caller's.
  explicit EncoderPool(unsigned threads) : work_(threads) {}

  /// One job, so that short segments do not each take as long to hand over as to encode.
  void submit(std::vector<Segment> segments);
  bool empty() const { return work_.count() == 0; }
  /// Jobs that were submitted and not taken.
  std::size_t count() const { return work_.count(); }
  /// Bytes of the segments that were submitted and not taken.
  std::size_t bytes() const { return bytes_; }
  /// The oldest job can be taken without waiting.
  bool ready() const { return work_.ready(); }
  struct Job {
    std::vector<Segment> segments;     ///< as they were
    std::vector<EncodedChunk> chunks;  ///< of each one
  };
  /// The oldest job; waits for it. Throws what encoding threw.
  Job take();

 private:
  struct Worker {
    void operator()(Job& job);
    ChunkEncoder encoder;
  };
  OrderedWork<Job, Worker> work_;
  std::size_t bytes_ = 0;
};

}  // namespace cui::db
