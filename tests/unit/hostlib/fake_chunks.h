// Chunks in host memory that a test takes, fills and hands over as a device would.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "cuinstrument/format/chunks.h"
#include "fakes.h"
#include "hostlib/chunk_reader.h"

namespace cui::hostlib::test {

class FakeChunks {
 public:
  explicit FakeChunks(std::uint32_t count) : slots_(std::size_t{count} * ChunkReader::slotsPerChunk) {
    while ((1u << chunks_.log2QueueSize) < count) ++chunks_.log2QueueSize;
    full_.resize(std::size_t{1} << chunks_.log2QueueSize);
    free_.resize(full_.size());
    used_.resize(count);
    chunks_.chunks = slots_.data();
    chunks_.chunkCount = count;
    chunks_.fullQueue = full_.data();
    chunks_.freeQueue = free_.data();
    chunks_.freed = &freed_;
  }
  const CuiChunks& chunks() const { return chunks_; }
  std::uint64_t taken() const { return taken_; }

  /// The number of a free chunk, if there is one.
  std::optional<std::uint32_t> take() {
    const std::optional<std::uint64_t> ticket = takeTicket();
    return ticket ? std::optional(numberOf(*ticket)) : std::nullopt;
  }
  /// In two steps, as a device does.
  std::optional<std::uint64_t> takeTicket() {
    if (taken_ == std::atomic_ref(freed_).load(std::memory_order_acquire)) return std::nullopt;
    return taken_++;
  }
  std::uint32_t numberOf(std::uint64_t ticket) {
    const std::atomic_ref place(free_[ticket % free_.size()]);
    const std::uint32_t number = place.load(std::memory_order_relaxed) - 1;
    place.store(0, std::memory_order_relaxed);
    used_[number] = 0;
    return number;
  }
  std::size_t room(std::uint32_t number) const { return ChunkReader::slotsPerChunk - used_[number]; }
  void append(std::uint32_t number, const Record& record) {
    Slot* const to = &slots_[std::size_t{number} * ChunkReader::slotsPerChunk + used_[number]];
    *to = slotOf(record, 1);
    for (unsigned i = 1; i <= record.payload; ++i)
      for (std::uint64_t& word : to[i].word) word = ~std::uint64_t{0};
    used_[number] += 1 + record.payload;
  }
  /// `more`: slots that are said to be used, too.
  void handOver(std::uint32_t number, unsigned more = 0) {
    std::atomic_ref(full_[handedOver_ % full_.size()])
        .store(format::fullChunkWord(number, used_[number] + more, handedOver_, chunks_.log2QueueSize),
               std::memory_order_release);
    ++handedOver_;
  }

 private:
  std::vector<Slot> slots_;
  std::vector<std::uint64_t> full_;
  std::vector<std::uint32_t> free_, used_;
  alignas(64) std::uint64_t freed_ = 0;
  std::uint64_t taken_ = 0, handedOver_ = 0;
  CuiChunks chunks_{};
};

}  // namespace cui::hostlib::test
