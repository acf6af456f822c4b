// Writes chunks: the layout of chunk_codec.h, record by record. No allocation once the buffers have grown.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cuinstrument/format/record.h"
#include "db/store/byte_buffer.h"
#include "db/store/chunk_codec.h"
#include "db/store/lane_pattern.h"

namespace cui::db {

/// A site's place in the chunk under construction; owned by the caller, one per site.
struct SiteInChunk {
  std::uint64_t chunk = 0;  ///< serial number of the chunk `place` and `prediction` belong to
  std::uint32_t place = 0;
  SitePrediction prediction;
};

/// What the builder knows of an irregular record's lanes: who measures the record need not find out again.
struct AddedLanes {
  const LanePattern* pattern = nullptr;  ///< until the next add(); null: affine, or addresses too far apart
  std::uint32_t number = noPattern;      ///< the same for all records of this chunk that have this pattern
};

class ChunkBuilder {
 public:
  ChunkBuilder();
  std::uint32_t recordCount() const { return records_; }
  std::size_t rawBytes() const;
  /// `bytes`: per lane, resolved. `payload`: the record's payload slots.
  AddedLanes add(const format::WarpRecord& record, const std::uint8_t* payload, std::uint32_t siteNumber,
                 std::uint32_t bytes, SiteInChunk& site);
  /// The encoded chunk, valid until the next call; the builder is empty afterwards. Empty on a zstd failure.
  std::span<const std::uint8_t> seal();

 private:
  AddedLanes addLanes(const format::WarpRecord& record, const std::uint8_t* payload, SitePrediction& known,
                      std::uint8_t& headByte);
  void addValues(const format::WarpRecord& record, const std::uint8_t* payload, std::uint32_t bytes);
  bool readPattern(const format::WarpRecord& record, const std::uint8_t* payload);

  std::array<ByteBuffer, chunk::columnCount> columns_;
  std::vector<std::uint8_t> packed_;
  PatternWindow window_;
  LanePattern pattern_;
  std::uint64_t serial_;
  std::uint32_t records_ = 0, places_ = 0, lastPlace_ = 0, lastBlock_ = 0;
};

/// The address a record's lanes are relative to: its lowest active lane's.
std::uint64_t lowestLaneAddress(const format::WarpRecord& record, const std::uint8_t* payload);

}  // namespace cui::db
