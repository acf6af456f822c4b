// See chunk_builder.h.
#include "db/store/chunk_builder.h"

#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>

namespace cui::db {

namespace {

using namespace chunk;
using format::AddressForm;
using format::lanesPerWarp;

constexpr std::size_t headerBytes = 2 + 8 * columnCount;

void put32(std::uint8_t* at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

/// A compression context per thread: creating one costs more than a small chunk.
ZSTD_CCtx* compressor() {
  struct Owner {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    Owner() { ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); }
    ~Owner() { ZSTD_freeCCtx(context); }
  };
  thread_local Owner owner;
  return owner.context;
}

/// Compresses a column to `to`, which has room for it. Packed patterns rarely get smaller; a sample tells,
/// and zstd at its fastest level then only frames them, with the checksum.
std::size_t compress(std::span<std::uint8_t> to, std::span<const std::uint8_t> column) {
  constexpr std::size_t sampleBytes = 16u << 10;
  constexpr int usual = 1, framing = -100;
  ZSTD_CCtx* const context = compressor();
  const auto run = [&](int level, std::span<const std::uint8_t> data) {
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level);
    return ZSTD_compress2(context, to.data(), to.size(), data.data(), data.size());
  };
  if (column.size() >= 8 * sampleBytes) {
    const std::size_t sample = run(usual, column.subspan(column.size() / 2, sampleBytes));
    if (!ZSTD_isError(sample) && sample > sampleBytes - sampleBytes / 32) return run(framing, column);
  }
  return run(usual, column);
}

std::atomic<std::uint64_t> nextSerial{1};

template <class Number>
Number load(const std::uint8_t* at) {
  Number value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::uint64_t lowestLaneAddress(const format::WarpRecord& record, const std::uint8_t* payload) {
  const auto first = static_cast<std::size_t>(std::countr_zero(record.activeMask));
  switch (format::formOf(record.flags)) {
    case AddressForm::offsets32:
      return record.address +
             static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(payload + 4 * first)});
    case AddressForm::full64:
      return load<std::uint64_t>(payload + 8 * first);
    default:
      return record.address;
  }
}

ChunkBuilder::ChunkBuilder() : serial_(nextSerial++) {}

std::size_t ChunkBuilder::rawBytes() const {
  std::size_t total = 0;
  for (const ByteBuffer& column : columns_) total += column.size();
  return total;
}

AddedLanes ChunkBuilder::add(const format::WarpRecord& record, const std::uint8_t* payload,
                             std::uint32_t siteNumber, std::uint32_t bytes, SiteInChunk& site) {
  SitePrediction& known = site.prediction;
  if (site.chunk != serial_) {
    site.chunk = serial_;
    site.place = places_++;
    known = SitePrediction();
    columns_[dictionary].varint(siteNumber);
  }
  columns_[chunk::site].zigzag(std::uint64_t{site.place} - lastPlace_);
  lastPlace_ = site.place;
  columns_[block].zigzag(std::uint64_t{record.block} - lastBlock_);
  lastBlock_ = record.block;

  const std::uint32_t warp = format::warpOf(record);
  auto headByte = static_cast<std::uint8_t>(warp);
  if (record.activeMask != known.mask || record.flags != known.flags || bytes != known.bytes ||
      record.stride != known.stride) {
    headByte |= hasShape;
    columns_[shape].varint(record.activeMask);
    columns_[shape].byte(record.flags);
    columns_[shape].varint(bytes);
    columns_[shape].zigzag(static_cast<std::uint64_t>(std::int64_t{record.stride}));
    known.mask = record.activeMask;
    known.flags = record.flags;
    known.bytes = bytes;
    known.stride = record.stride;
  }
  AddedLanes lanes;
  std::uint64_t address = record.address;
  if (format::formOf(record.flags) != AddressForm::affine) {
    address = lowestLaneAddress(record, payload);
    lanes = addLanes(record, payload, known, headByte);
  }
  const std::uint64_t residualValue = address - known.predict(record.block, warp);
  if (residualValue != 0) {
    headByte |= hasResidual;
    columns_[residual].zigzag(residualValue);
    known.learn(address, record.block, warp);
  }
  known.address = address;
  known.block = record.block;
  known.warp = warp;
  columns_[head].byte(headByte);
  if (format::hasValues(record.flags)) addValues(record, payload, bytes);
  ++records_;
  return lanes;
}

/// The record's lanes into pattern_; false: some are too far apart for it.
bool ChunkBuilder::readPattern(const format::WarpRecord& record, const std::uint8_t* payload) {
  const bool offsets32 = format::formOf(record.flags) == AddressForm::offsets32;
  if (offsets32 && record.activeMask == ~0u && load<std::int32_t>(payload) == 0) {
    std::memcpy(pattern_.offset.data(), payload, sizeof pattern_.offset);
    pattern_.count = lanesPerWarp;
    return true;
  }
  const std::uint64_t lowest = lowestLaneAddress(record, payload);
  pattern_ = LanePattern();
  for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t address =
        offsets32 ? record.address +
                        static_cast<std::uint64_t>(std::int64_t{load<std::int32_t>(payload + 4 * lane)})
                  : load<std::uint64_t>(payload + 8 * lane);
    const auto offset = static_cast<std::int64_t>(address - lowest);
    if (offset != static_cast<std::int32_t>(offset)) return false;
    pattern_.offset[pattern_.count++] = static_cast<std::int32_t>(offset);
  }
  return true;
}

AddedLanes ChunkBuilder::addLanes(const format::WarpRecord& record, const std::uint8_t* payload,
                                  SitePrediction& known, std::uint8_t& headByte) {
  std::uint32_t number = 0;
  if (!readPattern(record, payload)) {
    std::array<std::uint64_t, lanesPerWarp> address;
    laneAddresses(record, payload, address.data());
    std::array<std::int64_t, lanesPerWarp> offset;
    std::uint32_t count = 0;
    const std::uint64_t lowest = lowestLaneAddress(record, payload);
    for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1)
      offset[count++] =
          static_cast<std::int64_t>(address[static_cast<std::size_t>(std::countr_zero(rest))] - lowest);
    known.pattern = window_.skip();
    headByte |= hasPattern;
    columns_[chunk::pattern].varint(0);
    packOffsets(offset.data(), count, columns_[chunk::lanes]);
    return {};
  }
  const std::uint32_t before = window_.count();
  if (!window_.find(pattern_, number)) {
    headByte |= hasPattern;
    columns_[chunk::pattern].varint(0);
    packOffsets(pattern_.offset.data(), pattern_.count, columns_[chunk::lanes]);
  } else if (number != known.pattern) {
    headByte |= hasPattern;
    columns_[chunk::pattern].varint(before - number);
  }
  known.pattern = number;
  return {&pattern_, number};
}

void ChunkBuilder::addValues(const format::WarpRecord& record, const std::uint8_t* payload,
                             std::uint32_t bytes) {
  payload += std::size_t{format::payloadSlots(record.flags & 0x7fu, 0)} * format::slotBytes;
  for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1)
    columns_[values].append(payload + static_cast<std::size_t>(std::countr_zero(rest)) * bytes, bytes);
}

std::span<const std::uint8_t> ChunkBuilder::seal() {
  std::size_t bound = headerBytes;
  for (const ByteBuffer& column : columns_) bound += ZSTD_compressBound(column.size());
  if (packed_.size() < bound) packed_.resize(bound);
  packed_[0] = chunkCodecVersion;
  packed_[1] = columnCount;
  std::size_t at = headerBytes;
  bool failed = false;
  for (std::size_t i = 0; i < columnCount; ++i) {
    ByteBuffer& column = columns_[i];
    std::size_t size = 0;
    if (column.size() != 0) size = compress(std::span(packed_).subspan(at), column.bytes());
    if (ZSTD_isError(size)) failed = true;
    put32(&packed_[2 + 8 * i], static_cast<std::uint32_t>(column.size()));
    put32(&packed_[6 + 8 * i], static_cast<std::uint32_t>(size));
    if (!failed) at += size;
    column.clear();
  }
  window_.clear();
  records_ = places_ = lastPlace_ = lastBlock_ = 0;
  serial_ = nextSerial++;
  return {packed_.data(), failed ? 0 : at};
}

}  // namespace cui::db
