// Memory for records that changes hands: who reads a device's records fills it, the store keeps it until they
// are encoded, and gives other memory for it.
#pragma once

#include <cstddef>
#include <memory>

#include "cuinstrument/format/record.h"

namespace cui::db {

class SlotMemory {
 public:
  SlotMemory() = default;
  explicit SlotMemory(std::size_t slots)
      : slots_(std::make_unique_for_overwrite<format::WarpRecord[]>(slots)), capacity_(slots) {}
  format::WarpRecord* data() { return slots_.get(); }
  const format::WarpRecord* data() const { return slots_.get(); }
  std::size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<format::WarpRecord[]> slots_;
  std::size_t capacity_ = 0;
};

}  // namespace cui::db
