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
#include <vector>

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
    note(batch.findings);
  }
  /// Since the last call.
  RowFindings takeFindings() { return std::exchange(findings_, {}); }

 private:
  /// About rows, or quarters of a KB of chunks. A batch has half a MB at most.
  static constexpr std::size_t fullBatch = 2048;
  /// On their way: 192 MB at most. So many that a rush of some 65,000 small launches is taken as it comes.
  static constexpr std::size_t mostBatches = 384;
  static constexpr std::size_t mostSpare = 8;

  struct Job {
    BatchWriter* writer = nullptr;
    RowBatch batch;
  };
  struct Worker {
    /// What a batch was made of goes here, too, as there is much of it in small pieces.
    void operator()(Job& job) const {
      job.writer->write(job.batch);
      job.batch.clear();
    }
  };
  void submit() {
    while (work_.count() != 0 && (work_.count() >= mostBatches || work_.ready())) take();
    RowBatch next;
    if (!spare_.empty()) {
      next = std::move(spare_.back());
      spare_.pop_back();
    }
    work_.submit({&writer_, std::exchange(batch_, std::move(next))});
  }
  void take() {
    std::exception_ptr failure;
    RowBatch batch = work_.take(failure).batch;
    note(std::exchange(batch.findings, {}));
    if (failure) std::rethrow_exception(failure);
    if (spare_.size() < mostSpare) spare_.push_back(std::move(batch));
  }

  void note(const RowFindings& found) {
    findings_.notStored += found.notStored;
    findings_.unknownFrees += found.unknownFrees;
  }

  BatchWriter& writer_;
  RowBatch batch_;
  std::vector<RowBatch> spare_;  ///< empty ones, for their memory
  RowFindings findings_;
  OrderedWork<Job, Worker> work_;
};

}  // namespace cui::db
