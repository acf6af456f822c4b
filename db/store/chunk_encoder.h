// From raw records to what the database stores of them: a compressed chunk, and per site what its accesses
// cost. Pure computation, so that any thread may do it. The hot path of the store: one record costs some
// tens of nanoseconds, no allocation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "db/store/access_sums.h"
#include "db/store/chunk_builder.h"
#include "db/store/metrics.h"
#include "db/store/slot_memory.h"
#include "db/store/warp_order.h"

namespace cui::db {

struct ValueRange {
  std::uint64_t low = std::numeric_limits<std::uint64_t>::max(), high = 0;
  void include(std::uint64_t from, std::uint64_t to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }
  void include(const ValueRange& other) { include(other.low, other.high); }
};

/// What the records of one site in one chunk add up to.
struct SiteTotals : AccessSums {
  std::uint32_t siteNumber = 0;
  ValueRange addresses, blocks;
};

/// Access records of one launch, one after the other with their payload. All are well-formed.
class Segment {
 public:
  std::uint64_t launchId = 0, firstSequence = 0;
  std::uint32_t recordCount = 0;
  bool anyWarpOrder = false;  ///< only the records of one warp need stay in their order
  /// Numbers in this trace by what the records have; null: they have those.
  std::shared_ptr<const std::vector<std::uint32_t>> siteNumbers;
  /// Bytes per lane by site number, for records that do not say.
  std::shared_ptr<const std::vector<std::uint32_t>> siteBytes;

  const format::WarpRecord* begin() const { return memory_.data(); }
  const format::WarpRecord* end() const { return memory_.data() + used_; }
  std::size_t bytes() const { return used_ * format::slotBytes; }
  /// Appends a record and its payload.
  void append(const format::WarpRecord* record, std::size_t slotCount, std::uint32_t siteNumber) {
    format::WarpRecord* const to = room(slotCount);
    std::copy(record, record + slotCount, to);
    to->siteAndGeneration = siteNumber;
    append(slotCount, 1);
  }
  /// Memory for so many slots behind end(), until the next call; append() makes them part of the segment.
  format::WarpRecord* room(std::size_t slotCount) {
    if (memory_.capacity() - used_ < slotCount) grow(slotCount);
    return memory_.data() + used_;
  }
  void append(std::size_t slotCount, std::uint32_t records) {
    used_ += slotCount;
    recordCount += records;
  }
  /// Makes so many records of one slot each all there is; `memory` holds them, and what was here afterwards.
  void exchange(SlotMemory& memory, std::size_t records) {
    std::swap(memory_, memory);
    used_ = records;
    recordCount = static_cast<std::uint32_t>(records);
  }
  /// Empty, with its memory kept.
  void clear() {
    used_ = 0;
    recordCount = 0;
    anyWarpOrder = false;
  }

 private:
  void grow(std::size_t slotCount);
  SlotMemory memory_;
  std::size_t used_ = 0;
};

struct EncodedChunk {
  std::uint64_t launchId = 0, firstSequence = 0;
  std::uint32_t recordCount = 0;
  std::vector<std::uint8_t> data;  ///< empty: compression failed
  std::vector<SiteTotals> sites;   ///< in order of first use
};

/// What writes and checks chunks agree on: what one record adds to its site's totals.
class SiteMeter {
 public:
  explicit SiteMeter(std::uint32_t siteNumber) { totals.siteNumber = siteNumber; }
  /// `lane`: the active lanes' addresses; null: affine.
  void add(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes, std::uint8_t flags,
           std::uint64_t address, std::int32_t stride, const std::uint64_t* lane);
  /// The same of lanes whose pattern is known; `address` is the lowest active one's. Costs of patterns that
  /// come back are not computed again.
  void add(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes, std::uint8_t flags,
           std::uint64_t address, const AddedLanes& lanes);
  SiteTotals totals;

 private:
  /// What decides about an access's cost, its place within 128 bytes included: sectors and banks repeat.
  struct Shape {
    std::uint32_t mask = 0, bytes = 0, addressBits = 0;
    std::int32_t stride = 0;            ///< affine
    std::uint32_t pattern = noPattern;  ///< irregular
    std::uint8_t flags = noFlags;
    bool operator==(const Shape&) const = default;
  };
  struct KnownCost {
    Shape shape;
    AccessCost cost;
    std::int32_t low = 0, high = 0;  ///< irregular: the lanes' range around the address
  };
  void total(std::uint32_t block, std::uint32_t mask, std::uint32_t bytes, std::uint8_t flags,
             const AccessCost& cost, ValueRange addresses);

  KnownCost affine_;                     ///< the last one; regular code repeats it
  std::array<KnownCost, 32> irregular_;  ///< by address bits and pattern
};

class ChunkEncoder {
 public:
  EncodedChunk encode(const Segment& segment);

 private:
  struct SiteState {
    explicit SiteState(std::uint32_t siteNumber) : meter(siteNumber) {}
    SiteMeter meter;
    SiteInChunk inChunk;
  };
  SiteState& siteOf(std::uint32_t siteNumber);
  void add(const format::WarpRecord& record, std::uint32_t siteNumber,
           const std::vector<std::uint32_t>& siteBytes);

  WarpOrder order_;
  ChunkBuilder builder_;
  std::vector<SiteState> states_;
  std::vector<std::uint32_t> stateOfSite_;  ///< by site number: index into states_ + 1
};

}  // namespace cui::db
