// See total_cursor.h.
#include "db/store/total_cursor.h"

#include <algorithm>
#include <bit>

namespace cui::db {

namespace {

using enum AccessField;

constexpr std::size_t fewestSlots = 1024;  // a power of two

std::size_t slotOf(std::uint64_t key) {
  return key * 0x9e3779b97f4a7c15u >> 32;
}

}  // namespace

TotalCursor::TotalCursor(const AccessTableShape& shape, std::shared_ptr<AccessSource> source)
    : shape_(shape), source_(std::move(source)), records_(shape, source_) {}

void TotalCursor::start(AccessFilter filter, AccessPlan plan) {
  fields_.clear();
  for (const AccessField field :
       {siteId, blockX, blockY, blockZ, warp, address, activeMask, stride, bytes, space})
    if (plan.names(field) || (field == siteId && plan.names(kind))) fields_.push_back(field);
  wantsExtent_ = plan.names(minAddress) || plan.names(maxAddress);
  records_.start(std::move(filter), plan.decode);
  fill();
}

void TotalCursor::next() {
  if (++at_ == totals_.size()) fill();
}

void TotalCursor::fill() {
  totals_.clear();
  at_ = 0;
  if (records_.atEnd()) return;
  header_ = records_.chunkHeader();
  launch_ = records_.launch();
  chunk_ = records_.chunk();
  chooseKey();
  slots_.assign(std::max(slots_.size(), fewestSlots), 0);
  const std::int64_t taken = records_.takeChunk([this](const WarpAccess& record) { add(record); });
  if (totals_.empty()) totals_.push_back({0, {}, taken});  // not decoded, only counted
}

/// Side by side the parts are compared at once.
void TotalCursor::chooseKey() {
  widths_.clear();
  int bits = 0;
  for (const AccessField field : fields_) bits += widths_.emplace_back(widthOf(field));
  exact_ = bits <= 64;
}

void TotalCursor::add(const WarpAccess& record) {
  const std::uint64_t key = keyOf(record);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = slotOf(key) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask) {
    Total& total = totals_[slots_[at] - 1];
    if (total.key != key || !(exact_ || agree(total.first, record))) continue;
    ++total.requests;
    total.threadAccesses += std::popcount(record.mask);
    if (wantsExtent_) widen(total, record);
    return;
  }
  totals_.push_back({key, record, 1, std::popcount(record.mask)});
  if (wantsExtent_) widen(totals_.back(), record);
  slots_[at] = static_cast<std::uint32_t>(totals_.size());
  if (2 * totals_.size() > slots_.size()) grow();
}

void TotalCursor::widen(Total& total, const WarpAccess& record) const {
  const std::int64_t behind = std::int64_t{std::max(record.bytes, 1u)} - 1;
  const auto include = [&](std::uint64_t address) {
    total.low = std::min(total.low, static_cast<std::int64_t>(address));
    total.high =
        std::max(total.high, static_cast<std::int64_t>(address + static_cast<std::uint64_t>(behind)));
  };
  const int lanes = std::popcount(record.mask);
  if (!isAffine(record)) {
    for (int lane = 0; lane < lanes; ++lane)
      include(record.address + chunk_->lanes[record.laneAt + static_cast<std::size_t>(lane)]);
  } else if (lanes != 0) {
    const int last = 31 - std::countl_zero(record.mask) - std::countr_zero(record.mask);
    include(record.address);
    include(record.address + static_cast<std::uint64_t>(std::int64_t{record.stride} * last));
  }
}

void TotalCursor::grow() {
  slots_.assign(2 * slots_.size(), 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < totals_.size(); ++i) {
    std::size_t at = slotOf(totals_[i].key) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

std::uint64_t TotalCursor::part(AccessField field, const WarpAccess& record) const {
  switch (field) {
    case siteId:
      return record.siteNumber;
    case blockX:
      return static_cast<std::uint64_t>(launch_.xOf(record.block));
    case blockY:
      return static_cast<std::uint64_t>(launch_.yOf(record.block));
    case blockZ:
      return static_cast<std::uint64_t>(launch_.zOf(record.block));
    case warp:
      return record.warp;
    case address:
      return record.address;
    case activeMask:
      return record.mask;
    case stride:
      return isAffine(record) ? static_cast<std::uint32_t>(record.stride) : std::uint64_t{1} << 32;
    case bytes:
      return record.bytes;
    case space:
      return static_cast<std::uint64_t>(format::spaceOf(record.flags));
    default:
      return 0;
  }
}

int TotalCursor::widthOf(AccessField field) const {
  const auto bitsBelow = [](std::int64_t end) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(end, 1) - 1)));
  };
  switch (field) {
    case siteId:
      return bitsBelow(static_cast<std::int64_t>(source_->sites().size()));
    case blockX:
      return bitsBelow(launch_.gridX);
    case blockY:
      return bitsBelow(launch_.gridY);
    case blockZ:  // not gridZ: a damaged trace may hold blocks beyond it
    case activeMask:
    case bytes:
      return 32;
    case warp:
    case space:
      return 8;
    case stride:
      return 33;
    default:
      return 64;
  }
}

std::uint64_t TotalCursor::keyOf(const WarpAccess& record) const {
  std::uint64_t key = 0;
  if (exact_)
    for (std::size_t i = 0; i < fields_.size(); ++i)
      key = (widths_[i] == 64 ? 0 : key << widths_[i]) | part(fields_[i], record);
  else
    for (const AccessField field : fields_) key = (key ^ part(field, record)) * 0x9e3779b97f4a7c15u;
  return key;
}

bool TotalCursor::agree(const WarpAccess& a, const WarpAccess& b) const {
  return std::all_of(fields_.begin(), fields_.end(),
                     [&](AccessField field) { return part(field, a) == part(field, b); });
}

Value TotalCursor::column(std::size_t index) const {
  const AccessField field = shape_.columns[index].field;
  const Total& total = totals_[at_];
  if (field == launchId) return header_.launchId;
  if (field == requests) return total.requests;
  if (field == threadAccesses) return total.threadAccesses;
  if (field == minAddress) return total.low;
  if (field == maxAddress) return total.high;
  return fieldOf(field, total.first, launch_, source_->sites()[total.first.siteNumber]);
}

std::int64_t TotalCursor::rowId() const {
  return header_.id * std::int64_t{maxChunkRecords} + static_cast<std::int64_t>(at_);
}

}  // namespace cui::db
