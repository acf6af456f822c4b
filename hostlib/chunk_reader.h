// The chunks that a device fills in pinned host memory (host/abi.h: CuiChunks): which have been handed over,
// and giving them back. One thread; what is in taken chunks may be read by others (chunk_dealer.h). What
// detaches it waits for that thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "cuinstrument/format/chunks.h"
#include "cuinstrument/host/abi.h"
#include "hostlib/slot.h"
#include "hostlib/slot_batch.h"

namespace cui::hostlib {

class ChunkReader {
 public:
  struct Taken {
    std::uint32_t number;
    std::uint32_t slots;  ///< that it is said to hold; 0: as its tags say
    bool again;           ///< it is free once it has been read
  };

  /// All chunks are free from here on.
  explicit ChunkReader(const CuiChunks& chunks);

  /// Adds to `taken` up to `most` of the chunks that are full, in the order in which the device handed them
  /// over.
  void takeFull(std::size_t most, std::vector<Taken>& taken);
  /// Likewise those that the device has, and has not handed over, when there are no full ones. `before`,
  /// `again`: as of cuiTakeOpenChunks().
  void takeOpen(std::uint64_t before, bool again, std::vector<Taken>& taken);
  /// Copies what is in them to the end of `batch`, which has room, and clears them. Returns the slots that
  /// were said to be used and hold no record. By any thread.
  std::size_t read(std::span<const Taken> taken, SlotBatch& batch) const;
  /// After read().
  void giveBack(std::span<const Taken> taken);

  std::int32_t device() const { return chunks_.device; }
  std::size_t count() const { return chunks_.chunkCount; }

  static constexpr std::size_t slotsPerChunk = format::chunkSlots;

 private:
  /// Where a chunk is: queued to be taken, or taken, with this ticket; free, and not in the queue yet; or out
  /// of use.
  static constexpr std::uint64_t outOfUse = ~std::uint64_t{0}, waiting = outOfUse - 1;

  Slot* chunk(std::uint32_t number) const {
    return static_cast<Slot*>(chunks_.chunks) + std::size_t{number} * slotsPerChunk;
  }
  std::uint64_t fullWord(std::uint64_t ticket) const;
  /// Puts numbers of free chunks into the queue, as far as the device has read what was there.
  void publish();

  CuiChunks chunks_;
  std::uint64_t mask_;
  std::uint64_t full_ = 0, freed_ = 0;  ///< next tickets
  std::vector<std::uint64_t> ticket_;   ///< by chunk: of the queue of free ones
  std::deque<std::uint32_t> waiting_;   ///< numbers
};

}  // namespace cui::hostlib
