// Records copied out of a device's memory, and what is known of them already: whoever copies them looks at
// them as well, on a thread of its own, so that the drain thread only hands them on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "db/store/slot_memory.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

class SlotBatch {
 public:
  /// As many as the store encodes as one chunk.
  static constexpr std::size_t capacity = std::size_t{1} << 15;
  /// Any generation tag.
  static constexpr unsigned anyTag = 0;

  struct Run {
    std::size_t begin, end;  ///< slots
    std::uint32_t key;       ///< the launch's; of singles only
    bool areSingles;         ///< else not known what they are
    std::uint32_t minSite, maxSite;
  };

  /// Makes it an empty one with room for `capacity` slots.
  void clear();
  /// Copies the whole records at the front of `count` slots, as far as their headers have the tag; returns
  /// their slots. There is room for them. Fetches as much of `next`, meanwhile, if it is not null.
  std::size_t append(const Slot* records, std::size_t count, unsigned tag, const Slot* next = nullptr);

  std::size_t size() const { return size_; }
  std::size_t room() const { return capacity - size_; }
  const Slot* data() const { return reinterpret_cast<const Slot*>(memory_.data()); }
  const std::vector<Run>& runs() const { return runs_; }
  /// Where they are, at the front. Who keeps it leaves other memory; then clear() is to be called.
  db::SlotMemory& memory() { return memory_; }

 private:
  void add(const Run& run);

  db::SlotMemory memory_;
  std::size_t size_ = 0;
  std::vector<Run> runs_;
};

}  // namespace cui::hostlib
