// See encoder_pool.h.
#include "db/store/encoder_pool.h"

#include <exception>

namespace cui::db {

void EncoderPool::submit(Segment segment) {
  bytes_ += segment.bytes();
  work_.submit({std::move(segment), {}});
}

EncodedChunk EncoderPool::take(Segment& segment) {
  std::exception_ptr failure;
  Job job = work_.take(failure);
  bytes_ -= job.segment.bytes();
  segment = std::move(job.segment);
  segment.clear();
  if (failure) std::rethrow_exception(failure);
  return std::move(job.chunk);
}

}  // namespace cui::db
