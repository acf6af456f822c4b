// Warp records as compressed columns: the layout, and how it is read (chunk_builder.h writes it). Version 2:
//
//   u8 version, u8 column count, per column {u32 raw bytes, u32 packed bytes} little-endian, then the
//   columns, each one zstd frame with a checksum (none where raw bytes is 0).
//
//   dictionary  site numbers in order of first use; the other columns name sites by their place here
//   site        change of that place from record to record
//   block       change of the linear block index
//   head        warp in the block | hasShape << 5 | hasResidual << 6 | hasPattern << 7
//   residual    address minus the address predicted from the site's earlier records
//   shape       mask, record flags, bytes, stride, where they differ from the site's last ones
//   lanes       patterns: how the active lanes of an irregular record lie to each other (lane_pattern.cpp)
//   values      the active lanes' bytes
//   pattern     irregular records whose pattern is not the site's last one: how many patterns ago it was (1:
//               the one before); 0: it is new, the next one in `lanes`
//
// Numbers are varints (zigzag where they have a sign). Prediction: an address usually is affine in block
// and warp, and steps regularly while one warp repeats a site in a loop; each site learns the three
// strides. Records of a regular kernel so become four nearly constant bytes, whatever the order in which
// warps arrive.
//
// Version 1 had no `pattern`: there, `lanes` holds for each irregular record a shift and the active lanes'
// addresses, each relative to the one before.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cuinstrument/format/record.h"
#include "db/store/byte_buffer.h"

namespace cui::db {

constexpr std::uint32_t chunkCodecVersion = 2;
/// A reader refuses larger chunks, so that a damaged header cannot ask for much memory.
constexpr std::uint32_t maxChunkRecords = 1u << 18;
constexpr std::uint32_t maxChunkRawBytes = 64u << 20;

/// The flags' two bits for the AddressForm hold one of its three values.
constexpr bool hasKnownForm(std::uint8_t flags) {
  return (flags >> 2 & 3u) != 3;
}

/// Slots of an access and its payload. Asked as a branch, which is foreseen, so that going from record to
/// record does not wait for what is in them.
inline std::size_t slotsOf(const format::WarpRecord& access) {
  if (format::isSingleAccess(access.flags)) [[likely]]
    return 1;
  return 1 + format::payloadSlots(access.flags, format::bytesOf(access));
}
inline const format::WarpRecord* nextRecord(const format::WarpRecord* access) {
  return access + slotsOf(*access);
}

/// Flags that no access record has (they are a barrier's).
constexpr std::uint8_t noFlags = 3;

/// A number that no pattern has.
constexpr std::uint32_t noPattern = ~std::uint32_t{0};

/// What the codec keeps about one site within one chunk.
struct SitePrediction {
  std::uint64_t address = 0;
  std::uint64_t blockStride = 0, warpStride = 0, loopStride = 0;
  std::uint32_t block = 0, warp = 0;
  std::uint32_t mask = 0, bytes = 0;
  std::int32_t stride = 0;
  std::uint32_t pattern = noPattern;
  std::uint8_t flags = noFlags;  // so that the first record spells its shape

  std::uint64_t predict(std::uint32_t newBlock, std::uint32_t newWarp) const {
    if (newBlock == block && newWarp == warp) return address + loopStride;
    return address + blockStride * (std::uint64_t{newBlock} - block) +
           warpStride * (std::uint64_t{newWarp} - warp);
  }
  /// After a wrong prediction.
  void learn(std::uint64_t newAddress, std::uint32_t newBlock, std::uint32_t newWarp);
};

/// One decoded warp access.
struct AccessRecord {
  std::uint32_t siteNumber = 0, block = 0, warp = 0, mask = 0, bytes = 0;
  std::uint8_t flags = 0;  ///< format::makeFlags
  std::int32_t stride = 0;
  std::uint64_t address = 0;
  std::array<std::uint64_t, format::lanesPerWarp> lane{};  ///< active lanes' addresses, any form
  const std::uint8_t* values = nullptr;  ///< the active lanes' bytes one after the other; null: none
};

/// The same without its lanes, for whole chunks in memory.
struct WarpAccess {
  std::uint64_t address = 0;
  std::uint32_t siteNumber = 0, block = 0, mask = 0, bytes = 0;
  std::int32_t stride = 0;
  std::uint32_t laneAt = 0;   ///< irregular: where its active lanes start in DecodedChunk::lanes
  std::uint32_t valueAt = 0;  ///< with values: where its bytes start in DecodedChunk::values
  std::uint8_t warp = 0, flags = 0;
};

/// A chunk's records, each reachable at once.
struct DecodedChunk {
  std::vector<WarpAccess> records;
  std::vector<std::uint64_t> lanes;  ///< relative to the record's address; records may share them
  std::vector<std::uint8_t> values;
};

namespace chunk {
enum Column { dictionary, site, block, head, residual, shape, lanes, values, pattern, columnCount };
constexpr std::uint8_t warpMask = 0x1f, hasShape = 0x20, hasResidual = 0x40, hasPattern = 0x80;
/// The columns of a chunk of this version; 0: there is no such version.
constexpr std::size_t columnsOf(std::int64_t codecVersion) {
  return codecVersion == 2 ? columnCount : codecVersion == 1 ? columnCount - 1 : 0;
}
}  // namespace chunk

/// The addresses of a record's active lanes, whatever its form; other lanes are left alone.
void laneAddresses(const format::WarpRecord& record, const std::uint8_t* payload, std::uint64_t* address);

class ChunkReader {
 public:
  ChunkReader();
  ~ChunkReader();
  /// False, with error(), if the chunk is damaged. The data is not needed afterwards.
  bool open(std::span<const std::uint8_t> data, std::uint64_t recordCount, std::int64_t codecVersion);
  /// True after open(): every record is affine and without values.
  bool plain() const {
    return cursors_[chunk::lanes].left() + cursors_[chunk::pattern].left() + cursors_[chunk::values].left() ==
           0;
  }
  /// The next record; false at the end and, with error(), where the chunk is damaged.
  bool next(AccessRecord& record);
  /// All records after open(); false, with error(), if one is damaged.
  bool decode(DecodedChunk& chunk);
  const std::string& error() const { return error_; }

 private:
  using Cursors = std::array<ColumnCursor, chunk::columnCount>;
  struct Place {
    std::uint32_t site = 0, block = 0;
  };
  struct Pattern {
    std::uint32_t at = 0, count = 0;  ///< in offsets_
  };
  bool head(Cursors& cursors, Place& place, std::uint8_t& headByte, WarpAccess& record);
  bool lanesOf(Cursors& cursors, const Place& place, std::uint8_t headByte, WarpAccess& record);
  bool decodeRecords(DecodedChunk& chunk);
  bool allRead() const;
  bool fail(const char* what);
  std::array<std::vector<std::uint8_t>, chunk::columnCount> columns_;
  Cursors cursors_;
  std::vector<std::uint32_t> siteNumbers_;
  std::vector<SitePrediction> predictions_;
  std::vector<Pattern> patterns_;
  std::vector<std::uint64_t> offsets_;  ///< of all patterns read; of the last record in version 1
  std::size_t columnCount_ = 0;         ///< of the version that is read
  std::uint64_t remaining_ = 0;
  Place place_;
  std::string error_;
  void* context_ = nullptr;  // ZSTD_DCtx
};

}  // namespace cui::db
