// Reads chunks in host memory on threads of its own: each copies, looks at and clears some hundred chunks at
// a time, and the drain thread takes what they have read in the order in which it dealt them out. One thread
// uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "db/store/ordered_work.h"
#include "hostlib/chunk_reader.h"
#include "hostlib/slot_batch.h"

namespace cui::hostlib {

class ChunkDealer {
 public:
  /// What is done with records; it may keep their memory (SlotBatch::memory).
  using Use = std::function<void(SlotBatch& records)>;

  /// 0 threads: the caller reads all. They start when a few hundred chunks are full at once.
  explicit ChunkDealer(unsigned threads) : threads_(threads), work_(threads) {}

  /// Hands what about `most` of the reader's full chunks hold to `use`, in the order in which the device
  /// handed them over; returns how many there were. All are free again.
  std::size_t poll(ChunkReader& reader, std::size_t most, const Use& use);
  /// The full ones, then those that the device has and has not handed over.
  void takeOpen(ChunkReader& reader, std::uint64_t taken, bool again, const Use& use);

  /// Slots that were said to be used and hold no record; the count begins anew.
  std::uint64_t takeLost();

 private:
  static constexpr std::size_t chunksPerJob = SlotBatch::capacity / ChunkReader::slotsPerChunk;
  /// Fewer than these are read sooner than a thread is woken.
  static constexpr std::size_t worthwhile = chunksPerJob / 4;

  struct Job {
    ChunkReader* reader = nullptr;
    std::vector<ChunkReader::Taken> chunks;
    SlotBatch batch;
    std::size_t lost = 0;
  };
  struct Worker {
    void operator()(Job& job) const { job.lost = job.reader->read(job.chunks, job.batch); }
  };
  Job newJob(ChunkReader& reader);
  void begin(Job job, const Use& use);
  void finishOldest(const Use& use);
  void finish(Job job, const Use& use);

  const std::size_t threads_;
  std::vector<Job> spare_;  ///< for their memory
  std::uint64_t lost_ = 0;
  db::OrderedWork<Job, Worker> work_;
};

}  // namespace cui::hostlib
