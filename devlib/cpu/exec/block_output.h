// Records on their way to hostlib: collected per block, submitted in block order whatever the number of
// workers, so that a launch's record stream does not depend on scheduling.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::cpu {

using format::WarpRecord;

/// Record slots without the cost of initialising them.
class SlotBuffer {
 public:
  SlotBuffer() = default;
  ~SlotBuffer();
  SlotBuffer(SlotBuffer&& other) noexcept;
  SlotBuffer& operator=(SlotBuffer&& other) noexcept;

  /// Room for `slots` more; valid until the next call. commit() says how many were used.
  WarpRecord* reserve(std::size_t slots) {
    if (size_ + slots > capacity_) grow(slots);
    return data_ + size_;
  }
  void commit(std::size_t slots) { size_ += slots; }
  const WarpRecord* data() const { return data_; }
  std::size_t size() const { return size_; }
  void clear() { size_ = 0; }

 private:
  void grow(std::size_t slots);
  WarpRecord* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// What one block has recorded and not yet submitted. Announcements (kernel entry, shared variables) are
/// wanted once per launch although every block makes them.
struct BlockRecords {
  SlotBuffer slots;
  std::vector<WarpRecord> announcements;
  bool empty() const { return slots.size() == 0 && announcements.empty(); }
  void clear() {
    slots.clear();
    announcements.clear();
  }
};

/// The order of one launch's blocks. Block n's records are submitted after block n - 1's.
class SubmitOrder {
 public:
  /// `ordered`: several workers run blocks; else calls come in block order by themselves. `mayWait`: a block
  /// ahead of its turn may be held up; not so where the earlier ones wait for it at a barrier.
  SubmitOrder(bool ordered, bool mayWait) : ordered_(ordered), mayWait_(mayWait) {}

  /// Called now and then while a block runs: submits what there is if it is the block's turn. If not and
  /// there is much, waits a bounded time for the turn.
  void spill(std::uint64_t block, BlockRecords& records);
  /// The block has ended.
  void finish(std::uint64_t block, BlockRecords& records);
  /// A worker has run its last block: submits what it still holds. The launch ends with close().
  void flush(BlockRecords& records) {
    if (!ordered_) submit(records);
  }
  void close() { submit(batch_); }

  /// Slots a block collects before it calls spill().
  static constexpr std::size_t spillSlots = 4096;

 private:
  void submit(BlockRecords& records);

  const bool ordered_, mayWait_;
  std::atomic<std::uint64_t> turn_{0};
  std::mutex mutex_;
  std::condition_variable turned_;
  std::map<std::uint64_t, BlockRecords> pending_;  ///< finished before their turn
  std::size_t pendingSlots_ = 0;
  BlockRecords batch_;  ///< of the worker that has the turn
  std::set<std::tuple<std::uint8_t, std::uint32_t, std::uint64_t, std::int32_t>> announced_;
};

}  // namespace cui::cpu
