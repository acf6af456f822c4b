// Reads the chunks that a device fills in pinned host memory (host/abi.h: CuiChunks), and gives them back to
// it. One thread; what detaches it waits for that thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cuinstrument/format/chunks.h"
#include "cuinstrument/host/abi.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

class ChunkReader {
 public:
  using Use = std::function<void(std::span<const Slot> records)>;

  /// All chunks are free from here on.
  explicit ChunkReader(const CuiChunks& chunks);

  /// Hands up to `most` of the chunks that are full to `use`, in the order in which the device handed them
  /// over; returns how many there were. Each is free again before the next is looked at.
  std::size_t poll(std::size_t most, const Use& use);
  /// Likewise those that the device has, and has not handed over: what is written in them, by its tags.
  /// `taken`, `again`: as of cuiTakeOpenChunks().
  void takeOpen(std::uint64_t taken, bool again, const Use& use);

  /// Slots that were said to be used and hold no record; the count begins anew.
  std::uint64_t takeLost();
  std::int32_t device() const { return chunks_.device; }
  std::size_t count() const { return chunks_.chunkCount; }

  static constexpr std::size_t slotsPerChunk = format::chunkSlots;

 private:
  /// Where a chunk is: queued to be taken, or taken, with this ticket; or out of use.
  static constexpr std::uint64_t outOfUse = ~std::uint64_t{0};

  Slot* chunk(std::uint32_t number) const {
    return static_cast<Slot*>(chunks_.chunks) + std::size_t{number} * slotsPerChunk;
  }
  std::uint64_t fullWord(std::uint64_t ticket) const;
  std::uint32_t upcoming() const;
  void giveBack(std::uint32_t number, std::size_t slots);

  CuiChunks chunks_;
  std::uint64_t mask_;
  std::uint64_t full_ = 0, freed_ = 0;  ///< next tickets
  std::vector<std::uint64_t> ticket_;   ///< by chunk: of the queue of free ones
  std::uint64_t lost_ = 0;
};

}  // namespace cui::hostlib
