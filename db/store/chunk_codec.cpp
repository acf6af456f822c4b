// See chunk_codec.h.
#include "db/store/chunk_codec.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "db/store/lane_pattern.h"

namespace cui::db {

namespace {

using namespace chunk;
using format::AddressForm;
using format::lanesPerWarp;

std::uint32_t get32(const std::uint8_t* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= std::uint32_t{at[i]} << (8 * i);
  return value;
}

std::uint64_t exactQuotient(std::uint64_t dividend, std::uint64_t divisor, std::uint64_t otherwise) {
  const auto a = static_cast<std::int64_t>(dividend), b = static_cast<std::int64_t>(divisor);
  if (b == 1) return dividend;
  if (b == -1) return 0 - dividend;
  return a % b == 0 ? static_cast<std::uint64_t>(a / b) : otherwise;
}

}  // namespace

void SitePrediction::learn(std::uint64_t newAddress, std::uint32_t newBlock, std::uint32_t newWarp) {
  const std::uint64_t change = newAddress - address;
  const std::uint64_t blocks = std::uint64_t{newBlock} - block, warps = std::uint64_t{newWarp} - warp;
  if (blocks != 0)
    blockStride = exactQuotient(change - warpStride * warps, blocks, blockStride);
  else if (warps != 0)
    warpStride = exactQuotient(change, warps, warpStride);
  else
    loopStride = change;
}

void laneAddresses(const format::WarpRecord& record, const std::uint8_t* payload, std::uint64_t* address) {
  const AddressForm form = format::formOf(record.flags);
  const int first = std::countr_zero(record.activeMask);
  for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1) {
    const std::ptrdiff_t lane = std::countr_zero(rest);
    switch (form) {
      case AddressForm::offsets32: {
        std::int32_t offset;
        std::memcpy(&offset, payload + 4 * lane, 4);
        address[lane] = record.address + static_cast<std::uint64_t>(std::int64_t{offset});
        break;
      }
      case AddressForm::full64:
        std::memcpy(&address[lane], payload + 8 * lane, 8);
        break;
      default:
        address[lane] =
            record.address + static_cast<std::uint64_t>(record.stride * std::int64_t{lane - first});
    }
  }
}

ChunkReader::ChunkReader() : context_(ZSTD_createDCtx()) {}
ChunkReader::~ChunkReader() {
  ZSTD_freeDCtx(static_cast<ZSTD_DCtx*>(context_));
}

bool ChunkReader::fail(const char* what) {
  error_ = what;
  remaining_ = 0;
  return false;
}

bool ChunkReader::open(std::span<const std::uint8_t> data, std::uint64_t recordCount,
                       std::int64_t codecVersion) {
  error_.clear();
  place_ = {};
  cursors_ = {};
  remaining_ = 0;
  columnCount_ = columnsOf(codecVersion);
  if (columnCount_ == 0) return fail("unknown codec version");
  if (recordCount == 0 || recordCount > maxChunkRecords) return fail("impossible record count");
  const std::size_t headerSize = 2 + 8 * columnCount_;
  if (data.size() < headerSize || data[0] != codecVersion || data[1] != columnCount_)
    return fail("damaged header");
  std::size_t at = headerSize, total = 0;
  for (std::size_t i = 0; i < columnCount_; ++i) {
    const std::size_t raw = get32(&data[2 + 8 * i]), packed = get32(&data[6 + 8 * i]);
    total += raw;
    if (total > maxChunkRawBytes || packed > data.size() - at) return fail("damaged header");
    columns_[i].resize(raw + unpackSlack);
    if (raw != 0) {
      const std::size_t size = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(context_), columns_[i].data(), raw,
                                                   data.data() + at, packed);
      if (ZSTD_isError(size) || size != raw) return fail("damaged column");
    }
    cursors_[i] = {columns_[i].data(), columns_[i].data() + raw};
    at += packed;
  }
  if (at != data.size()) return fail("damaged header");
  siteNumbers_.clear();
  for (ColumnCursor& names = cursors_[dictionary]; names.at != names.end;) {
    siteNumbers_.push_back(static_cast<std::uint32_t>(names.varint()));
    if (!names.ok) return fail("damaged dictionary");
  }
  predictions_.assign(siteNumbers_.size(), SitePrediction());
  patterns_.clear();
  offsets_.clear();
  remaining_ = recordCount;
  return true;
}

/// All but lanes and values. False: damaged.
inline bool ChunkReader::head(Cursors& cursors, Place& place, std::uint8_t& headByte, WarpAccess& record) {
  place.site += static_cast<std::uint32_t>(cursors[site].zigzag());
  place.block += static_cast<std::uint32_t>(cursors[block].zigzag());
  headByte = cursors[chunk::head].byte();
  if (!cursors[site].ok || !cursors[block].ok || !cursors[chunk::head].ok ||
      place.site >= siteNumbers_.size())
    return false;
  SitePrediction& known = predictions_[place.site];
  if (headByte & hasShape) {
    ColumnCursor& shapeColumn = cursors[shape];
    known.mask = static_cast<std::uint32_t>(shapeColumn.varint());
    known.flags = shapeColumn.byte();
    known.bytes = static_cast<std::uint32_t>(shapeColumn.varint());
    known.stride = static_cast<std::int32_t>(shapeColumn.zigzag());
    if (!shapeColumn.ok) return false;
  }
  if (known.mask == 0 || !hasKnownForm(known.flags)) return false;
  const std::uint32_t warp = headByte & warpMask;
  std::uint64_t address = known.predict(place.block, warp);
  if (headByte & hasResidual) {
    address += cursors[residual].zigzag();
    if (!cursors[residual].ok) return false;
    known.learn(address, place.block, warp);
  }
  known.address = address;
  known.block = place.block;
  known.warp = warp;
  record.siteNumber = siteNumbers_[place.site];
  record.block = place.block;
  record.warp = static_cast<std::uint8_t>(warp);
  record.mask = known.mask;
  record.bytes = known.bytes;
  record.flags = known.flags;
  record.stride = known.stride;
  record.address = address;
  return true;
}

bool ChunkReader::allRead() const {
  return std::all_of(cursors_.begin(), cursors_.end(),
                     [](const ColumnCursor& cursor) { return cursor.at == cursor.end; });
}

/// An irregular record's lanes, relative to its address, into offsets_ from record.laneAt on. False: damaged.
bool ChunkReader::lanesOf(Cursors& cursors, const Place& place, std::uint8_t headByte, WarpAccess& record) {
  const auto count = static_cast<std::uint32_t>(std::popcount(record.mask));
  const auto end = static_cast<std::uint32_t>(offsets_.size());
  record.laneAt = end;
  if (columnCount_ <= chunk::pattern) {  // version 1
    offsets_.resize(end + count);
    const unsigned shift = cursors[lanes].byte() & 7u;
    std::uint64_t offset = 0;
    for (std::uint32_t i = 0; i < count; ++i) offsets_[end + i] = offset += cursors[lanes].zigzag() << shift;
    return cursors[lanes].ok;
  }
  std::uint32_t& number = predictions_[place.site].pattern;
  if (headByte & hasPattern) {
    const std::uint64_t back = cursors[chunk::pattern].varint();
    if (!cursors[chunk::pattern].ok || back > patterns_.size()) return false;
    number = static_cast<std::uint32_t>(patterns_.size() - back);
    if (back == 0) {
      patterns_.push_back({end, count});
      offsets_.resize(end + count);
      return unpackOffsets(cursors[lanes], count, &offsets_[end]);
    }
  }
  if (number == noPattern || patterns_[number].count != count) return false;
  record.laneAt = patterns_[number].at;
  return true;
}

namespace {

/// The bytes of a record's values; null: damaged.
const std::uint8_t* readValues(ColumnCursor& cursor, std::uint32_t mask, std::uint32_t bytes) {
  const std::size_t count = static_cast<std::size_t>(std::popcount(mask)) * bytes;
  if (bytes > format::maxValueBytes || count > cursor.left()) return nullptr;
  const std::uint8_t* const result = cursor.at;
  cursor.at += count;
  return result;
}

}  // namespace

bool ChunkReader::next(AccessRecord& record) {
  if (remaining_ == 0) return false;
  --remaining_;
  WarpAccess access;
  std::uint8_t headByte = 0;
  if (!head(cursors_, place_, headByte, access)) return fail("damaged records");
  record.siteNumber = access.siteNumber;
  record.block = access.block;
  record.warp = access.warp;
  record.mask = access.mask;
  record.bytes = access.bytes;
  record.flags = access.flags;
  record.stride = access.stride;
  record.address = access.address;
  if (format::formOf(access.flags) == AddressForm::affine) {
    const int first = std::countr_zero(access.mask);
    for (int i = first; i < static_cast<int>(lanesPerWarp); ++i)
      record.lane[static_cast<std::size_t>(i)] =
          access.address + static_cast<std::uint64_t>(std::int64_t{access.stride} * (i - first));
  } else {
    if (columnCount_ <= chunk::pattern) offsets_.clear();  // nobody refers to them
    if (!lanesOf(cursors_, place_, headByte, access)) return fail("damaged lanes");
    const std::uint64_t* offset = &offsets_[access.laneAt];
    for (std::uint32_t rest = access.mask; rest != 0; rest &= rest - 1)
      record.lane[static_cast<std::size_t>(std::countr_zero(rest))] = access.address + *offset++;
  }
  record.values = nullptr;
  if (format::hasValues(access.flags)) {
    record.values = readValues(cursors_[values], access.mask, access.bytes);
    if (!record.values) return fail("damaged values");
  }
  if (remaining_ == 0 && !allRead()) return fail("damaged records");
  return true;
}

bool ChunkReader::decode(DecodedChunk& chunk) {
  chunk.records.resize(remaining_);
  offsets_.swap(chunk.lanes);  // its memory, until it has the contents
  offsets_.clear();
  const bool good = decodeRecords(chunk);
  offsets_.swap(chunk.lanes);
  offsets_.clear();
  remaining_ = 0;
  return good;
}

bool ChunkReader::decodeRecords(DecodedChunk& chunk) {
  chunk.values.assign(cursors_[values].at, cursors_[values].end);
  const std::uint8_t* const firstValue = cursors_[values].at;
  Cursors cursors = cursors_;  // locals, so that they can live in registers
  Place place = place_;
  for (WarpAccess& record : chunk.records) {
    std::uint8_t headByte = 0;
    if (!head(cursors, place, headByte, record)) return fail("damaged records");
    if (format::formOf(record.flags) != AddressForm::affine && !lanesOf(cursors, place, headByte, record))
      return fail("damaged lanes");
    if (format::hasValues(record.flags)) {
      record.valueAt = static_cast<std::uint32_t>(cursors[values].at - firstValue);
      if (!readValues(cursors[values], record.mask, record.bytes)) return fail("damaged values");
    }
  }
  cursors_ = cursors;
  return allRead() || fail("damaged records");
}

}  // namespace cui::db
