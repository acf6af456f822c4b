#include "hostlib/chunk_dealer.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace cui::hostlib {

std::size_t ChunkDealer::poll(ChunkReader& reader, std::size_t most, const Use& use) {
  std::size_t begun = 0;
  while (begun < most) {
    Job job = newJob(reader);
    reader.takeFull(std::min(chunksPerJob, most - begun), job.chunks);
    const std::size_t taken = job.chunks.size();
    if (taken == 0) {
      spare_.push_back(std::move(job));
      if (work_.count() == 0) break;
      finishOldest(use);  // more may be full by then
      continue;
    }
    begun += taken;
    begin(std::move(job), use);
  }
  while (work_.count() != 0) finishOldest(use);
  return begun;
}

void ChunkDealer::takeOpen(ChunkReader& reader, std::uint64_t taken, bool again, const Use& use) {
  poll(reader, reader.count(), use);
  std::vector<ChunkReader::Taken> open;
  reader.takeOpen(taken, again, open);
  for (std::size_t at = 0; at < open.size(); at += chunksPerJob) {
    Job job = newJob(reader);
    const auto first = open.begin() + static_cast<std::ptrdiff_t>(at);
    job.chunks.assign(first, first + static_cast<std::ptrdiff_t>(std::min(chunksPerJob, open.size() - at)));
    begin(std::move(job), use);
  }
  while (work_.count() != 0) finishOldest(use);
}

std::uint64_t ChunkDealer::takeLost() {
  return std::exchange(lost_, 0);
}

ChunkDealer::Job ChunkDealer::newJob(ChunkReader& reader) {
  Job job;
  if (!spare_.empty()) {
    job = std::move(spare_.back());
    spare_.pop_back();
  }
  job.reader = &reader;
  job.chunks.clear();
  job.batch.clear();
  return job;
}

void ChunkDealer::begin(Job job, const Use& use) {
  if (threads_ == 0 || (work_.count() == 0 && job.chunks.size() < worthwhile)) {
    Worker()(job);
    return finish(std::move(job), use);
  }
  work_.submit(std::move(job));
  if (work_.count() > 2 * threads_) finishOldest(use);
}

/// A thread that has begun a job ends it without waiting for anything.
void ChunkDealer::finishOldest(const Use& use) {
  std::exception_ptr failure;  // none: reading allocates nothing
  finish(work_.take(failure), use);
}

void ChunkDealer::finish(Job job, const Use& use) {
  lost_ += job.lost;
  job.reader->giveBack(job.chunks);  // before what may take long
  if (job.batch.size() != 0) use(job.batch);
  spare_.push_back(std::move(job));
}

}  // namespace cui::hostlib
