// See encoder_pool.h.
#include "db/store/encoder_pool.h"

#include <exception>
#include <utility>

namespace cui::db {
namespace {

std::size_t bytesOf(const std::vector<Segment>& segments) {
  std::size_t bytes = 0;
  for (const Segment& segment : segments) bytes += segment.bytes();
  return bytes;
}

}  // namespace

void EncoderPool::Worker::operator()(Job& job) {
  job.chunks.reserve(job.segments.size());
  for (const Segment& segment : job.segments) job.chunks.push_back(encoder.encode(segment));
}

void EncoderPool::submit(std::vector<Segment> segments) {
  bytes_ += bytesOf(segments);
  work_.submit({std::move(segments), {}});
}

EncoderPool::Job EncoderPool::take() {
  std::exception_ptr failure;
  Job job = work_.take(failure);
  bytes_ -= bytesOf(job.segments);
  if (failure) std::rethrow_exception(failure);
  return job;
}

}  // namespace cui::db
