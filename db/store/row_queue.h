// Gathers rows, and writes them many at a time on a thread of its own, so that what makes them goes on: a
// row costs SQLite a microsecond or two, which is what a program takes for a small launch's part.
//
// The database has one user at a time. The owner uses it itself only after settle().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "db/store/batch_writer.h"
#include "db/store/ordered_work.h"
#include "db/store/row_batch.h"

namespace cui::db {

class RowQueue {
 public:
  /// `threads` 0: rows are written by the owner's thread.
  RowQueue(BatchWriter& writer, unsigned threads) : writer_(writer), work_(std::min(threads, 1u)) {}

  /// Where to put rows that weigh so much (`fullBatch`); until the next call of any function.
  RowBatch& add(std::size_t weight) {
    if (batch_.weight >= fullBatch) submit();
    batch_.weight += weight;
    return batch_;
  }
  /// Nothing is being written. Throws what writing threw.
  void settle() {
    while (work_.count() != 0) take();
  }
  /// What has been added is written, and the transaction committed, without waiting.
  void commit() {
    batch_.commit = true;
    submit();
  }
  /// All is written, by the owner's thread at last.
  void finish() {
    settle();
    if (batch_.weight == 0) return;
    RowBatch batch = std::exchange(batch_, RowBatch());
    writer_.write(batch);
    notStored_ += batch.notStored;
  }
  /// Accesses that were measured only since the last call: the file has reached its largest size.
  std::uint64_t takeNotStored() { return std::exchange(notStored_, 0); }

 private:
  /// About rows, or quarters of a KB of chunks. A batch has half a MB at most.
  static constexpr std::size_t fullBatch = 2048;
  /// On their way. So many that a rush of some 25,000 small launches, 40 MB, is taken as it comes.
  static constexpr std::size_t mostBatches = 128;

  struct Job {
    BatchWriter* writer = nullptr;
    RowBatch batch;
  };
  struct Worker {
    void operator()(Job& job) const { job.writer->write(job.batch); }
  };
  void submit() {
    while (work_.count() != 0 && (work_.count() >= mostBatches || work_.ready())) take();
    work_.submit({&writer_, std::exchange(batch_, RowBatch())});
  }
  void take() {
    std::exception_ptr failure;
    notStored_ += work_.take(failure).batch.notStored;
    if (failure) std::rethrow_exception(failure);
  }

  BatchWriter& writer_;
  RowBatch batch_;
  std::uint64_t notStored_ = 0;
  OrderedWork<Job, Worker> work_;
};

}  // namespace cui::db
