// See chunk_check.h.
#include "db/store/chunk_check.h"

#include <array>
#include <bit>

namespace cui::db {

void ChunkChecker::operator()(ChunkCheck& check) {
  meters_.clear();
  meterOfSite_.assign(check.siteCount, 0);
  const auto inside = [](std::uint64_t value, auto low, auto high) {
    return value >= static_cast<std::uint64_t>(low) && value <= static_cast<std::uint64_t>(high);
  };
  const bool decoded =
      reader_.open(check.data, static_cast<std::uint64_t>(check.recordCount), check.codecVersion) &&
      reader_.decode(chunk_);
  check.error = reader_.error();
  if (!decoded) return;
  for (const WarpAccess& record : chunk_.records) {
    if (record.siteNumber >= check.siteCount) {
      check.unknownSite = true;
      break;
    }
    check.outside |= !inside(record.siteNumber, check.minSite, check.maxSite) ||
                     !inside(record.block, check.minBlock, check.maxBlock) ||
                     !inside(record.address, check.minAddress, check.maxAddress);
    std::uint32_t& meter = meterOfSite_[record.siteNumber];
    if (meter == 0) {
      meters_.emplace_back(record.siteNumber);
      meter = static_cast<std::uint32_t>(meters_.size());
    }
    measure(record, meters_[meter - 1]);
  }
  for (const SiteMeter& meter : meters_) check.sites.push_back(meter.totals);
}

void ChunkChecker::measure(const WarpAccess& record, SiteMeter& meter) const {
  if (format::formOf(record.flags) == format::AddressForm::affine) {
    meter.add(record.block, record.mask, record.bytes, record.flags, record.address, record.stride, nullptr);
    return;
  }
  std::array<std::uint64_t, format::lanesPerWarp> lane;
  const std::uint64_t* offset = &chunk_.lanes[record.laneAt];
  for (std::uint32_t rest = record.mask; rest != 0; rest &= rest - 1)
    lane[static_cast<std::size_t>(std::countr_zero(rest))] = record.address + *offset++;
  meter.add(record.block, record.mask, record.bytes, record.flags, record.address, 0, lane.data());
}

}  // namespace cui::db
