// Reads a ring that a device fills (host/abi.h: CuiRing) by its generation tags alone: no fence, no CUDA
// call. One reading thread; detach() may come from another.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>

#include "cuinstrument/host/abi.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

class RingReader {
 public:
  explicit RingReader(const CuiRing& ring);

  /// Copies out the whole records (header and payload) that have arrived, up to about slotsPerPoll slots, and
  /// frees their slots in the ring. Valid until the next call.
  std::span<const Slot> poll();
  /// As much as stays in a core's cache until it has been looked at.
  static constexpr std::size_t slotsPerPoll = 1u << 13;  // 256 KiB

  /// For slots that were reserved and never written: goes on at the next header that has arrived below
  /// `produced`, or at `produced`. Returns the slots passed over.
  std::uint64_t skip(std::uint64_t produced);
  /// As skip(), where it is not known how much was produced: within one lap; 0 if nothing has arrived.
  std::uint64_t skipToArrived();

  /// After this no memory of the ring is touched.
  void detach();

  std::uint64_t consumed() const { return consumed_.load(std::memory_order_acquire); }
  std::int32_t device() const { return ring_.device; }
  std::uint64_t slotCount() const { return ring_.slotCount; }
  const void* slots() const { return ring_.slots; }

 private:
  std::uint8_t generation(std::uint64_t ticket) const {
    return static_cast<std::uint8_t>(1 + (ticket >> log2SlotCount_) % 255);
  }
  Slot* slotOf(std::uint64_t ticket) const {
    return static_cast<Slot*>(ring_.slots) + (ticket & (ring_.slotCount - 1));
  }
  bool arrived(std::uint64_t ticket) const;
  void publish(std::uint64_t consumed);

  const CuiRing ring_;
  const int log2SlotCount_;
  std::unique_ptr<Slot[]> copies_;
  mutable std::mutex mutex_;  ///< held while the ring's memory is touched
  bool detached_ = false;
  std::atomic<std::uint64_t> consumed_{0};
};

}  // namespace cui::hostlib
