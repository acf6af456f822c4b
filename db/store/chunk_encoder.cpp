// See chunk_encoder.h.
#include "db/store/chunk_encoder.h"

#include <bit>

#include "db/store/vectorized.h"

namespace cui::db {

using format::WarpRecord;

void Segment::grow(std::size_t slotCount) {
  SlotMemory larger(std::max({std::size_t{8}, used_ + slotCount, memory_.capacity() * 2}));
  std::copy(memory_.data(), memory_.data() + used_, larger.data());
  memory_ = std::move(larger);
}

namespace {
ValueRange rangeOf(std::uint32_t mask, const std::uint64_t* lane) {
  ValueRange range;
  for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
    range.include(lane[std::countr_zero(rest)], lane[std::countr_zero(rest)]);
  return range;
}
}  // namespace

void SiteMeter::add(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes, std::uint8_t flags,
                    std::uint64_t address, std::int32_t stride, const std::uint64_t* lane) {
  const format::Space space = format::spaceOf(flags);
  if (lane)
    return total(block, mask, bytes, flags, measureLanes(space, bytes, mask, lane), rangeOf(mask, lane));
  const int steps = 31 - std::countl_zero(mask) - std::countr_zero(mask);
  const std::uint64_t other = address + static_cast<std::uint64_t>(std::int64_t{stride} * steps);
  ValueRange range;
  range.include(std::min(address, other), std::max(address, other));
  const Shape shape{mask, bytes, static_cast<std::uint32_t>(address & 127), stride, noPattern, flags};
  if (shape != affine_.shape) affine_ = {shape, measureAffine(space, bytes, mask, address, stride), 0, 0};
  total(block, mask, bytes, flags, affine_.cost, range);
}

CUI_DB_VECTORIZED void SiteMeter::add(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes,
                                      std::uint8_t flags, std::uint64_t address, const AddedLanes& lanes) {
  const auto addressBits = static_cast<std::uint32_t>(address & 127);
  const Shape shape{mask, bytes, addressBits, 0, lanes.number, flags};
  KnownCost& known = irregular_[(addressBits / 4 + lanes.number * 5) % irregular_.size()];
  std::array<std::uint64_t, format::lanesPerWarp> lane;
  const auto findLanes = [&] {
    const std::int32_t* next = lanes.pattern->offset.data();
    if (mask == ~0u) {  // the compiler makes vectors of this one
      for (std::size_t i = 0; i < lane.size(); ++i)
        lane[i] = address + static_cast<std::uint64_t>(std::int64_t{next[i]});
      return;
    }
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1)
      lane[static_cast<std::size_t>(std::countr_zero(rest))] =
          address + static_cast<std::uint64_t>(std::int64_t{*next++});
  };
  if (shape != known.shape) {
    findLanes();
    std::int32_t low = 0, high = 0;  // the lowest lane's, and what is behind the last
    for (const std::int32_t offset : lanes.pattern->offset) {
      low = std::min(low, offset);
      high = std::max(high, offset);
    }
    known = {shape, measureLanes(format::spaceOf(flags), bytes, mask, lane.data()), low, high};
  }
  ValueRange range;
  range.include(address + static_cast<std::uint64_t>(std::int64_t{known.low}),
                address + static_cast<std::uint64_t>(std::int64_t{known.high}));
  if (range.low > address || range.high < address) {  // around the end of the address space
    findLanes();
    range = rangeOf(mask, lane.data());
  }
  total(block, mask, bytes, flags, known.cost, range);
}

void SiteMeter::total(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes, std::uint8_t flags,
                      const AccessCost& cost, ValueRange addresses) {
  const format::Space space = format::spaceOf(flags);
  const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
  addresses.high += bytes == 0 ? 0 : bytes - 1;
  totals.requests += 1;
  totals.threadAccesses += lanes;
  totals.bytes += std::uint64_t{lanes} * bytes;
  totals.sectors += cost.sectors;
  totals.idealSectors += cost.idealSectors;
  totals.wavefronts += cost.wavefronts;
  totals.idealWavefronts += cost.idealWavefronts;
  totals.sectorRequests += countsSectors(space);
  totals.wavefrontRequests += countsWavefronts(space);
  totals.usefulBytes += cost.usefulBytes;
  totals.addresses.include(addresses);
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

void ChunkEncoder::add(const WarpRecord& record, std::uint32_t siteNumber,
                       const std::vector<std::uint32_t>& siteBytes) {
  const std::uint32_t inRecord = format::bytesOf(record);
  const std::uint32_t bytes = inRecord != 0 ? inRecord : siteBytes[siteNumber];
  const auto* payload = reinterpret_cast<const std::uint8_t*>(&record + 1);
  SiteState& site = siteOf(siteNumber);
  const AddedLanes lanes = builder_.add(record, payload, siteNumber, bytes, site.inChunk);
  if (format::formOf(record.flags) == format::AddressForm::affine) {
    site.meter.add(record.block, record.activeMask, bytes, record.flags, record.address, record.stride,
                   nullptr);
  } else if (lanes.pattern) {
    site.meter.add(record.block, record.activeMask, bytes, record.flags, lowestLaneAddress(record, payload),
                   lanes);
  } else {
    std::uint64_t address[format::lanesPerWarp];
    laneAddresses(record, payload, address);
    site.meter.add(record.block, record.activeMask, bytes, record.flags, record.address, 0, address);
  }
}

EncodedChunk ChunkEncoder::encode(const Segment& segment) {
  std::span<const std::uint32_t> order;
  if (segment.anyWarpOrder) order = order_.of(segment.begin(), segment.end());
  const std::uint32_t* const numbers = segment.siteNumbers ? segment.siteNumbers->data() : nullptr;
  const auto addOne = [&](const WarpRecord& record) {
    const std::uint32_t site = format::siteOf(record);
    add(record, numbers ? numbers[site] : site, *segment.siteBytes);
  };
  for (const std::uint32_t at : order) addOne(segment.begin()[at]);
  if (order.empty())
    for (const WarpRecord* record = segment.begin(); record != segment.end(); record = nextRecord(record))
      addOne(*record);
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
