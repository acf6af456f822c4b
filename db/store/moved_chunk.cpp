// See moved_chunk.h.
#include "db/store/moved_chunk.h"

#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "db/store/sqlite.h"

namespace cui::db {

using format::AddressForm;
using format::WarpRecord;

ChunkMover::ChunkMover(std::vector<std::uint32_t> siteNumbers, std::uint64_t addressBase,
                       std::shared_ptr<const std::vector<std::uint32_t>> siteBytes)
    : siteNumbers_(std::move(siteNumbers)), addressBase_(addressBase) {
  segment_.siteBytes = std::move(siteBytes);
}

EncodedChunk ChunkMover::move(ChunkReader& reader, std::int64_t launchId, std::int64_t firstSequence) {
  segment_.clear();
  segment_.launchId = static_cast<std::uint64_t>(launchId);
  segment_.firstSequence = static_cast<std::uint64_t>(firstSequence);
  AccessRecord record;
  while (reader.next(record)) append(record);
  return encoder_.encode(segment_);
}

/// The record as a recorder would have left it: a header, the lanes' addresses, their values.
void ChunkMover::append(const AccessRecord& record) {
  if (record.siteNumber >= siteNumbers_.size())
    throw StoreFailure({ErrorCode::corrupt, "a record of an unknown site; run cuinstrument validate"});
  const format::Space space = format::spaceOf(record.flags);
  const std::uint64_t base = space == format::Space::shared ? 0 : addressBase_;
  bool near = true;
  for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
    const auto offset = static_cast<std::int64_t>(
        record.lane[static_cast<std::size_t>(std::countr_zero(rest))] - record.address);
    near = near && offset == static_cast<std::int32_t>(offset);
  }
  const AddressForm form = format::formOf(record.flags) == AddressForm::affine ? AddressForm::affine
                           : near                                              ? AddressForm::offsets32
                                                                               : AddressForm::full64;
  const bool values = record.values != nullptr;
  WarpRecord header = {};
  header.address = record.address + base;
  header.activeMask = record.mask;
  header.warpAndBytes = format::makeWarpAndBytes(record.warp, record.bytes);
  header.flags = format::makeFlags(format::RecordType::access, form, space, values);
  header.block = record.block;
  header.stride = record.stride;
  const std::uint32_t payload = format::payloadSlots(header.flags, format::bytesOf(header));
  slots_.assign(1 + payload, WarpRecord());
  slots_[0] = header;
  auto* const at = reinterpret_cast<std::uint8_t*>(slots_.data() + 1);
  const std::uint8_t* value = record.values;
  std::uint8_t* const valuesAt =
      at + std::size_t{format::payloadSlots(header.flags & 0x7fu, 0)} * format::slotBytes;
  for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    const std::uint64_t address = record.lane[lane] + base;
    const auto offset = static_cast<std::int32_t>(static_cast<std::int64_t>(address - header.address));
    if (form == AddressForm::offsets32) std::memcpy(at + 4 * lane, &offset, sizeof offset);
    if (form == AddressForm::full64) std::memcpy(at + 8 * lane, &address, sizeof address);
    if (!values) continue;
    std::memcpy(valuesAt + lane * record.bytes, value, record.bytes);
    value += record.bytes;
  }
  segment_.append(slots_.data(), slots_.size(), siteNumbers_[record.siteNumber]);
}

}  // namespace cui::db
