// See chunk_codec.h.
#include "db/store/chunk_codec.h"

#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace cui::db {

namespace {

using namespace chunk;
using format::AddressForm;
using format::lanesPerWarp;

constexpr std::size_t headerBytes = 2 + 8 * columnCount;

void put32(std::uint8_t* at, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}
std::uint32_t get32(const std::uint8_t* at) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value |= std::uint32_t{at[i]} << (8 * i);
  return value;
}

/// A compression context per thread: creating one costs more than a small chunk.
ZSTD_CCtx* compressor() {
  struct Owner {
    ZSTD_CCtx* context = ZSTD_createCCtx();
    Owner() {
      ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
      ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    }
    ~Owner() { ZSTD_freeCCtx(context); }
  };
  thread_local Owner owner;
  return owner.context;
}

std::atomic<std::uint64_t> nextSerial{1};

/// Zero bits below every set bit of the offsets: elements of 4 bytes need two bits less per lane.
unsigned commonShift(std::uint64_t bits) {
  return bits == 0 ? 0 : std::min(7u, static_cast<unsigned>(std::countr_zero(bits)));
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

ChunkBuilder::ChunkBuilder() : serial_(nextSerial++) {}

std::size_t ChunkBuilder::rawBytes() const {
  std::size_t total = 0;
  for (const ByteBuffer& column : columns_) total += column.size();
  return total;
}

void ChunkBuilder::add(const format::WarpRecord& record, const std::uint8_t* payload,
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
  const std::uint64_t residualValue = record.address - known.predict(record.block, warp);
  if (residualValue != 0) {
    headByte |= hasResidual;
    columns_[residual].zigzag(residualValue);
    known.learn(record.address, record.block, warp);
  }
  known.address = record.address;
  known.block = record.block;
  known.warp = warp;
  columns_[head].byte(headByte);
  if (format::payloadSlots(record.flags, 1) != 0) addPayload(record, payload, bytes);
  ++records_;
}

void ChunkBuilder::addPayload(const format::WarpRecord& record, const std::uint8_t* payload,
                              std::uint32_t bytes) {
  const AddressForm form = format::formOf(record.flags);
  if (form != AddressForm::affine) {
    std::array<std::uint64_t, lanesPerWarp> address;
    laneAddresses(record, payload, address.data());
    std::uint64_t bits = 0;
    for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1)
      bits |= address[static_cast<std::size_t>(std::countr_zero(rest))] - record.address;
    const unsigned shift = commonShift(bits);
    columns_[lanes].byte(static_cast<std::uint8_t>(shift));
    std::uint64_t last = record.address;
    for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1) {
      const std::uint64_t now = address[static_cast<std::size_t>(std::countr_zero(rest))];
      columns_[lanes].zigzag(static_cast<std::uint64_t>(static_cast<std::int64_t>(now - last) >> shift));
      last = now;
    }
    payload += std::size_t{format::payloadSlots(record.flags & 0x7fu, 0)} * format::slotBytes;
  }
  if (format::hasValues(record.flags)) {
    for (std::uint32_t rest = record.activeMask; rest != 0; rest &= rest - 1)
      columns_[values].append(payload + static_cast<std::size_t>(std::countr_zero(rest)) * bytes, bytes);
  }
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
    if (column.size() != 0)
      size = ZSTD_compress2(compressor(), packed_.data() + at, packed_.size() - at, column.bytes().data(),
                            column.size());
    if (ZSTD_isError(size)) failed = true;
    put32(&packed_[2 + 8 * i], static_cast<std::uint32_t>(column.size()));
    put32(&packed_[6 + 8 * i], static_cast<std::uint32_t>(size));
    if (!failed) at += size;
    column.clear();
  }
  records_ = places_ = lastPlace_ = lastBlock_ = 0;
  serial_ = nextSerial++;
  return {packed_.data(), failed ? 0 : at};
}

std::uint64_t ColumnCursor::longVarint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    value |= std::uint64_t{next & 0x7fu} << shift;
    if (next < 0x80) return value;
  }
  ok = false;
  return 0;
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
  remaining_ = 0;
  if (codecVersion != chunkCodecVersion) return fail("unknown codec version");
  if (recordCount == 0 || recordCount > maxChunkRecords) return fail("impossible record count");
  if (data.size() < headerBytes || data[0] != chunkCodecVersion || data[1] != columnCount)
    return fail("damaged header");
  std::size_t at = headerBytes, total = 0;
  for (std::size_t i = 0; i < columnCount; ++i) {
    const std::size_t raw = get32(&data[2 + 8 * i]), packed = get32(&data[6 + 8 * i]);
    total += raw;
    if (total > maxChunkRawBytes || packed > data.size() - at) return fail("damaged header");
    columns_[i].resize(raw);
    if (raw != 0) {
      const std::size_t size = ZSTD_decompressDCtx(static_cast<ZSTD_DCtx*>(context_), columns_[i].data(), raw,
                                                   data.data() + at, packed);
      if (ZSTD_isError(size) || size != raw) return fail("damaged column");
    }
    at += packed;
  }
  if (at != data.size()) return fail("damaged header");
  for (std::size_t i = 0; i < columnCount; ++i)
    cursors_[i] = {columns_[i].data(), columns_[i].data() + columns_[i].size()};
  siteNumbers_.clear();
  for (ColumnCursor& names = cursors_[dictionary]; names.at != names.end;) {
    siteNumbers_.push_back(static_cast<std::uint32_t>(names.varint()));
    if (!names.ok) return fail("damaged dictionary");
  }
  predictions_.assign(siteNumbers_.size(), SitePrediction());
  remaining_ = recordCount;
  return true;
}

/// All but lanes and values. False: damaged.
inline bool ChunkReader::head(Cursors& cursors, Place& place, WarpAccess& record) {
  place.site += static_cast<std::uint32_t>(cursors[site].zigzag());
  place.block += static_cast<std::uint32_t>(cursors[block].zigzag());
  const std::uint8_t headByte = cursors[chunk::head].byte();
  if (!cursors[site].ok || !cursors[block].ok || !cursors[chunk::head].ok ||
      place.site >= siteNumbers_.size())
    return false;
  SitePrediction& known = predictions_[place.site];
  if (headByte & hasShape) {
    ColumnCursor& shapes = cursors[shape];
    known.mask = static_cast<std::uint32_t>(shapes.varint());
    known.flags = shapes.byte();
    known.bytes = static_cast<std::uint32_t>(shapes.varint());
    known.stride = static_cast<std::int32_t>(shapes.zigzag());
    if (!shapes.ok) return false;
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

namespace {

/// Calls `lane(index, address)` for each active lane of an irregular record; false: damaged.
template <class F>
bool readLanes(ColumnCursor& cursor, std::uint64_t address, std::uint32_t mask, F&& lane) {
  const unsigned shift = cursor.byte() & 7u;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    address += cursor.zigzag() << shift;
    lane(std::countr_zero(rest), address);
  }
  return cursor.ok;
}

/// The bytes of a record's values; null: damaged.
const std::uint8_t* readValues(ColumnCursor& cursor, std::uint32_t mask, std::uint32_t bytes) {
  const std::size_t count = static_cast<std::size_t>(std::popcount(mask)) * bytes;
  if (bytes > format::maxValueBytes || count > static_cast<std::size_t>(cursor.end - cursor.at))
    return nullptr;
  const std::uint8_t* const result = cursor.at;
  cursor.at += count;
  return result;
}

}  // namespace

bool ChunkReader::next(AccessRecord& record) {
  if (remaining_ == 0) return false;
  --remaining_;
  WarpAccess access;
  if (!head(cursors_, place_, access)) return fail("damaged records");
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
  } else if (!readLanes(cursors_[lanes], access.address, access.mask, [&](int lane, std::uint64_t address) {
               record.lane[static_cast<std::size_t>(lane)] = address;
             })) {
    return fail("damaged lanes");
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
  chunk.lanes.clear();
  chunk.values = columns_[values];
  Cursors cursors = cursors_;  // locals, so that they can live in registers
  Place place = place_;
  for (WarpAccess& record : chunk.records) {
    if (!head(cursors, place, record)) return fail("damaged records");
    if (format::formOf(record.flags) != AddressForm::affine) {
      record.laneAt = static_cast<std::uint32_t>(chunk.lanes.size());
      if (!readLanes(cursors[lanes], record.address, record.mask,
                     [&](int, std::uint64_t address) { chunk.lanes.push_back(address); }))
        return fail("damaged lanes");
    }
    if (format::hasValues(record.flags)) {
      record.valueAt = static_cast<std::uint32_t>(cursors[values].at - columns_[values].data());
      if (!readValues(cursors[values], record.mask, record.bytes)) return fail("damaged values");
    }
  }
  remaining_ = 0;
  cursors_ = cursors;
  return allRead() || fail("damaged records");
}

}  // namespace cui::db
