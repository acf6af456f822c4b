// See chunk_encoder.h.
#include "db/store/chunk_encoder.h"

#include <bit>

namespace cui::db {

using format::WarpRecord;

void Segment::grow(std::size_t slotCount) {
  capacity_ = std::max<std::size_t>(1024, (used_ + slotCount) * 2);
  auto larger = std::make_unique_for_overwrite<WarpRecord[]>(capacity_);
  std::copy(slots_.get(), slots_.get() + used_, larger.get());
  slots_ = std::move(larger);
}

void SiteMeter::add(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes, std::uint8_t flags,
                    std::uint64_t address, std::int32_t stride, const std::uint64_t* lane) {
  const format::Space space = format::spaceOf(flags);
  ValueRange range;
  if (!lane) {
    const int steps = 31 - std::countl_zero(mask) - std::countr_zero(mask);
    const std::uint64_t other = address + static_cast<std::uint64_t>(std::int64_t{stride} * steps);
    range.include(std::min(address, other), std::max(address, other));
    // Sectors and banks repeat every 32 and 128 bytes.
    const auto addressBits = static_cast<std::uint32_t>(address & 127);
    if (mask != mask_ || stride != stride_ || bytes != bytes_ || flags != flags_ ||
        addressBits != addressBits_) {
      cost_ = measureAffine(space, bytes, mask, address, stride);
      mask_ = mask;
      stride_ = stride;
      bytes_ = bytes;
      flags_ = flags;
      addressBits_ = addressBits;
    }
  } else {
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      range.include(lane[std::countr_zero(rest)], lane[std::countr_zero(rest)]);
    cost_ = measureLanes(space, bytes, mask, lane);
    flags_ = noFlags;  // not to be repeated
  }
  range.high += bytes == 0 ? 0 : bytes - 1;

  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  totals.requests += 1;
  totals.threadAccesses += lanes;
  totals.bytes += std::uint64_t{lanes} * bytes;
  totals.sectors += cost_.sectors;
  totals.idealSectors += cost_.idealSectors;
  totals.wavefronts += cost_.wavefronts;
  totals.idealWavefronts += cost_.idealWavefronts;
  totals.sectorRequests += countsSectors(space);
  totals.wavefrontRequests += countsWavefronts(space);
  totals.usefulBytes += cost_.usefulBytes;
  totals.addresses.include(range);
  totals.blocks.include(block, block);
}

ChunkEncoder::SiteState& ChunkEncoder::siteOf(std::uint32_t siteNumber) {
  if (stateOfSite_.size() <= siteNumber) stateOfSite_.resize(siteNumber + 1);
  std::uint32_t& index = stateOfSite_[siteNumber];
  if (index == 0) {
    states_.emplace_back(siteNumber);
    index = static_cast<std::uint32_t>(states_.size());
  }
  return states_[index - 1];
}

EncodedChunk ChunkEncoder::encode(const Segment& segment) {
  for (const WarpRecord* record = segment.begin(); record != segment.end();) {
    const std::uint32_t siteNumber = format::siteOf(*record);
    const std::uint32_t inRecord = format::bytesOf(*record);
    const std::uint32_t bytes = inRecord != 0 ? inRecord : (*segment.siteBytes)[siteNumber];
    const auto* payload = reinterpret_cast<const std::uint8_t*>(record + 1);
    SiteState& site = siteOf(siteNumber);
    std::uint64_t address[format::lanesPerWarp];
    const bool affine = format::formOf(record->flags) == format::AddressForm::affine;
    if (!affine) laneAddresses(*record, payload, address);
    site.meter.add(record->block, record->activeMask, bytes, record->flags, record->address, record->stride,
                   affine ? nullptr : address);
    builder_.add(*record, payload, siteNumber, bytes, site.inChunk);
    record += 1 + format::payloadSlots(record->flags, inRecord);
  }
  EncodedChunk chunk;
  chunk.launchId = segment.launchId;
  chunk.firstSequence = segment.firstSequence;
  chunk.recordCount = segment.recordCount;
  const auto packed = builder_.seal();
  chunk.data.assign(packed.begin(), packed.end());
  chunk.sites.reserve(states_.size());
  for (const SiteState& state : states_) {
    chunk.sites.push_back(state.meter.totals);
    stateOfSite_[state.meter.totals.siteNumber] = 0;
  }
  states_.clear();
  return chunk;
}

}  // namespace cui::db
