// How an irregular access's lanes lie to each other: told apart, remembered and packed. The columns `pattern`
// and `lanes` of chunk_codec.h.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cuinstrument/format/record.h"
#include "db/store/byte_buffer.h"

namespace cui::db {

/// The active lanes' addresses relative to the lowest one's, one after the other; 0 behind them.
struct LanePattern {
  std::array<std::int32_t, format::lanesPerWarp> offset{};
  std::uint32_t count = 0;
  bool operator==(const LanePattern&) const = default;
};

/// Patterns come back: loops repeat them, fields of a structure share them, warps take turns. The window
/// finds those among the chunk's last ones.
class PatternWindow {
 public:
  PatternWindow() : patterns_(size), places_(size) {}
  /// True: the chunk's pattern `number` is the same. False: this is a new one, which has got `number`.
  bool find(const LanePattern& pattern, std::uint32_t& number);
  /// Takes a number for a pattern that is not to be found again.
  std::uint32_t skip() { return count_++; }
  /// How many of the chunk's patterns there are.
  std::uint32_t count() const { return count_; }
  /// For the next chunk.
  void clear();

 private:
  static constexpr std::uint32_t size = 4096;
  std::vector<LanePattern> patterns_;  ///< by number, modulo size
  struct Place {
    std::uint32_t tag = 0;   ///< more of the hash
    std::uint32_t next = 0;  ///< the latest such pattern's number + 1; 0: none
  };
  std::vector<Place> places_;  ///< by hash
  std::uint32_t count_ = 0;
};

/// Writes the offsets of lanes 1 … count - 1 from lane 0.
void packOffsets(const std::int32_t* offset, std::uint32_t count, ByteBuffer& out);
void packOffsets(const std::int64_t* offset, std::uint32_t count, ByteBuffer& out);

/// Reads what packOffsets wrote; offset[0] is 0. False: damaged. Readable memory reaches unpackSlack bytes
/// beyond the cursor's end.
constexpr std::size_t unpackSlack = 8;
bool unpackOffsets(ColumnCursor& in, std::uint32_t count, std::uint64_t* offset);

}  // namespace cui::db
