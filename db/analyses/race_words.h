// Who accessed a word of memory last: what `races` remembers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <unordered_map>

#include "cuinstrument/format/record.h"

namespace cui::db {

/// One side of a conflict.
struct Actor {
  static constexpr std::uint32_t gridEpochs = 1u << 17;
  std::uint32_t block = 0, site = 0, epoch = 0;  ///< epoch: barriers that its block (its warp) had passed
  std::uint32_t gridEpoch : 17 = 0;              ///< of these, where all blocks met, modulo gridEpochs
  std::uint32_t thread : 10 = 0;                 ///< linear, in its block
  std::uint32_t bytes : 4 = 0;                   ///< which of the word's four; 0: nobody
  std::uint32_t atomic : 1 = 0;

  std::uint32_t warp() const { return thread / format::lanesPerWarp; }
  bool sameWarp(const Actor& other) const { return block == other.block && warp() == other.warp(); }
};

struct Word {
  Actor writer;
  std::array<Actor, 2> readers;  ///< of different warps: a writer is at most one of them
  void read(const Actor& actor) {
    if (readers[0].bytes != 0 && !readers[0].sameWarp(actor)) readers[1] = readers[0];
    readers[0] = actor;
  }
};

/// Words by block and by the barriers passed, for accesses that come in any order. Once the memory is used
/// up, the blocks with the highest numbers are given up, so that what is known of the others is complete.
class BlockWords {
 public:
  explicit BlockWords(std::uint64_t memoryBytes) : maxWords_(memoryBytes / bytesPerWord) {}

  void clear() {
    blocks_.clear();
    count_ = 0;
    end_ = noEnd;
  }
  /// Null for a block that is given up. `shared`: `word` is of the block's shared memory.
  Word* make(std::uint32_t block, std::uint32_t epoch, std::uint64_t word, bool shared) {
    if (block >= end_) return nullptr;
    Words& words = blocks_[block];
    const auto [place, fresh] = words.try_emplace(Key{word << 1 | (shared ? 1u : 0u), epoch});
    if (!fresh || ++count_ <= maxWords_) return &place->second;
    const auto last = std::prev(blocks_.end());
    end_ = last->first;
    count_ -= last->second.size();
    blocks_.erase(last);
    return block < end_ ? &place->second : nullptr;
  }
  bool full() const { return end_ != noEnd; }
  /// The first block that was given up.
  std::uint64_t end() const { return end_; }

 private:
  struct Key {
    std::uint64_t word;
    std::uint32_t epoch;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::uint64_t>()((key.word ^ std::uint64_t{key.epoch} << 40) * 0x9e3779b97f4a7c15u >>
                                        7);
    }
  };
  using Words = std::unordered_map<Key, Word, Hash>;
  static constexpr std::uint64_t bytesPerWord = sizeof(Words::value_type) + 4 * sizeof(void*);
  static constexpr std::uint64_t noEnd = std::uint64_t{1} << 32;

  std::map<std::uint32_t, Words> blocks_;
  std::uint64_t maxWords_, count_ = 0, end_ = noEnd;
};

}  // namespace cui::db
