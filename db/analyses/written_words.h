// Which words of memory have been written, by the host or by kernels: a bit for every 4 bytes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "db/analyses/paged_cells.h"

namespace cui::db {

class WrittenWords {
 public:
  explicit WrittenWords(std::uint64_t memoryBytes) : words_(memoryBytes) {}
  void write(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, true); }
  /// Fresh memory: whatever was there before.
  void forget(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, false); }
  /// True if some of the bytes lie in a word that was never written. Once full(), nothing is said to be.
  bool unwritten(std::uint64_t address, std::uint64_t bytes) {
    if (bytes == 0 || full()) return false;
    const std::uint64_t last = (address + bytes - 1) / wordBytes;
    for (std::uint64_t word = address / wordBytes; word <= last; word = endOf(word, last) + 1) {
      const std::uint64_t* const bits = words_.find(word / 64);
      const std::uint64_t mask = maskOf(word, last);
      if (!bits || (*bits & mask) != mask) return true;
    }
    return false;
  }
  bool full() const { return words_.full(); }

 private:
  static constexpr std::uint64_t wordBytes = 4;

  /// The last word, up to `last`, that shares the cell of `word`; and the bits of those between in it.
  static std::uint64_t endOf(std::uint64_t word, std::uint64_t last) {
    return std::min(last, word / 64 * 64 + 63);
  }
  static std::uint64_t maskOf(std::uint64_t word, std::uint64_t last) {
    const std::uint64_t count = endOf(word, last) - word + 1;
    return (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << word % 64;
  }

  void set(std::uint64_t address, std::uint64_t bytes, bool value) {
    if (bytes == 0) return;
    const std::uint64_t last = (address + bytes - 1) / wordBytes;
    for (std::uint64_t word = address / wordBytes; word <= last && !full(); word = endOf(word, last) + 1) {
      const std::uint64_t mask = maskOf(word, last);
      std::uint64_t* const bits = value ? words_.make(word / 64) : words_.find(word / 64);
      if (bits) *bits = value ? *bits | mask : *bits & ~mask;
    }
  }

  PagedCells<std::uint64_t, 64> words_;
};

}  // namespace cui::db
