// Warp records as compressed columns, and back. Version 1 of the layout:
//
//   u8 version, u8 column count, per column {u32 raw bytes, u32 packed bytes} little-endian, then the
//   columns, each one zstd frame with a checksum (none where raw bytes is 0).
//
//   dictionary  site numbers in order of first use; the other columns name sites by their place here
//   site        change of that place from record to record
//   block       change of the linear block index
//   head        warp in the block | hasShape << 5 | hasResidual << 6
//   residual    address minus the address predicted from the site's earlier records
//   shape       mask, record flags, bytes, stride, where they differ from the site's last ones
//   lanes       irregular records: the active lanes' addresses, each relative to the one before
//   values      the active lanes' bytes
//
// Numbers are varints (zigzag where they have a sign). Prediction: an address usually is affine in block
// and warp, and steps regularly while one warp repeats a site in a loop; each site learns the three
// strides. Records of a regular kernel so become four nearly constant bytes, whatever the order in which
// warps arrive.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::db {

constexpr std::uint32_t chunkCodecVersion = 1;
/// A reader refuses larger chunks, so that a damaged header cannot ask for much memory.
constexpr std::uint32_t maxChunkRecords = 1u << 18;
constexpr std::uint32_t maxChunkRawBytes = 64u << 20;

/// The flags' two bits for the AddressForm hold one of its three values.
constexpr bool hasKnownForm(std::uint8_t flags) {
  return (flags >> 2 & 3u) != 3;
}

/// Flags that no access record has (they are a barrier's).
constexpr std::uint8_t noFlags = 3;

/// What the codec keeps about one site within one chunk.
struct SitePrediction {
  std::uint64_t address = 0;
  std::uint64_t blockStride = 0, warpStride = 0, loopStride = 0;
  std::uint32_t block = 0, warp = 0;
  std::uint32_t mask = 0, bytes = 0;
  std::int32_t stride = 0;
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
  std::uint32_t laneAt = 0;   ///< irregular: where its active lanes' addresses start in DecodedChunk::lanes
  std::uint32_t valueAt = 0;  ///< with values: where its bytes start in DecodedChunk::values
  std::uint8_t warp = 0, flags = 0;
};

/// A chunk's records, each reachable at once.
struct DecodedChunk {
  std::vector<WarpAccess> records;
  std::vector<std::uint64_t> lanes;
  std::vector<std::uint8_t> values;
};

class ByteBuffer {
 public:
  std::size_t size() const { return size_; }
  std::span<const std::uint8_t> bytes() const { return {data_.data(), size_}; }
  void clear() { size_ = 0; }
  void byte(std::uint8_t value) {
    reserve(1);
    data_[size_++] = value;
  }
  void varint(std::uint64_t value) {
    reserve(10);
    while (value >= 0x80) {
      data_[size_++] = static_cast<std::uint8_t>(value | 0x80);
      value >>= 7;
    }
    data_[size_++] = static_cast<std::uint8_t>(value);
  }
  void zigzag(std::uint64_t difference) {  // of two numbers, modulo 2^64
    varint(difference << 1 ^ (difference >> 63 ? ~std::uint64_t{0} : 0));
  }
  void append(const std::uint8_t* data, std::size_t count) {
    reserve(count);
    std::copy(data, data + count, data_.data() + size_);
    size_ += count;
  }

 private:
  void reserve(std::size_t count) {
    if (data_.size() - size_ < count) data_.resize(data_.size() * 2 + count + 256);
  }
  std::vector<std::uint8_t> data_;
  std::size_t size_ = 0;
};

namespace chunk {
enum Column { dictionary, site, block, head, residual, shape, lanes, values, columnCount };
constexpr std::uint8_t warpMask = 0x1f, hasShape = 0x20, hasResidual = 0x40;
}  // namespace chunk

/// A site's place in the chunk under construction; owned by the caller, one per site.
struct SiteInChunk {
  std::uint64_t chunk = 0;  ///< serial number of the chunk `place` and `prediction` belong to
  std::uint32_t place = 0;
  SitePrediction prediction;
};

class ChunkBuilder {
 public:
  ChunkBuilder();
  std::uint32_t recordCount() const { return records_; }
  std::size_t rawBytes() const;
  /// `bytes`: per lane, resolved. `payload`: the record's payload slots.
  void add(const format::WarpRecord& record, const std::uint8_t* payload, std::uint32_t siteNumber,
           std::uint32_t bytes, SiteInChunk& site);
  /// The encoded chunk, valid until the next call; the builder is empty afterwards. Empty on a zstd failure.
  std::span<const std::uint8_t> seal();

 private:
  void addPayload(const format::WarpRecord& record, const std::uint8_t* payload, std::uint32_t bytes);
  std::array<ByteBuffer, chunk::columnCount> columns_;
  std::vector<std::uint8_t> packed_;
  std::uint64_t serial_;
  std::uint32_t records_ = 0, places_ = 0, lastPlace_ = 0, lastBlock_ = 0;
};

/// The addresses of a record's active lanes, whatever its form; other lanes are left alone.
void laneAddresses(const format::WarpRecord& record, const std::uint8_t* payload, std::uint64_t* address);

/// Reads a column; every read past the end is noticed, none is made.
struct ColumnCursor {
  const std::uint8_t* at = nullptr;
  const std::uint8_t* end = nullptr;
  bool ok = true;

  std::uint8_t byte() {
    if (at != end) return *at++;
    ok = false;
    return 0;
  }
  std::uint64_t varint() {
    if (at != end && *at < 0x80) return *at++;
    return longVarint();
  }
  std::uint64_t zigzag() {
    const std::uint64_t value = varint();
    return value >> 1 ^ (0 - (value & 1));
  }

 private:
  std::uint64_t longVarint();
};

class ChunkReader {
 public:
  ChunkReader();
  ~ChunkReader();
  /// False, with error(), if the chunk is damaged. The data is not needed afterwards.
  bool open(std::span<const std::uint8_t> data, std::uint64_t recordCount, std::int64_t codecVersion);
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
  bool head(Cursors& cursors, Place& place, WarpAccess& record);
  bool allRead() const;
  bool fail(const char* what);
  std::array<std::vector<std::uint8_t>, chunk::columnCount> columns_;
  Cursors cursors_;
  std::vector<std::uint32_t> siteNumbers_;
  std::vector<SitePrediction> predictions_;
  std::uint64_t remaining_ = 0;
  Place place_;
  std::string error_;
  void* context_ = nullptr;  // ZSTD_DCtx
};

}  // namespace cui::db
