// See address_change.h.
#include "db/analyses/address_change.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cui::db {

namespace {
constexpr std::uint64_t allocationAlignment = 256;
/// Wider accesses, copies of whole tables, are not taken apart; nor are those of unknown size.
constexpr std::uint32_t maxPiecedBytes = 65536;
}  // namespace

AddressChange AddressChange::padRows(std::uint64_t rowBytes, std::uint64_t padBytes) {
  AddressChange change(Kind::pad, rowBytes);
  change.padBytes_ = padBytes;
  return change;
}

AddressChange AddressChange::swizzleRows(std::uint64_t rowBytes, std::uint64_t elementBytes) {
  AddressChange change(Kind::swizzle, rowBytes);
  change.elementBytes_ = elementBytes;
  change.columns_ = rowBytes / elementBytes;
  return change;
}

AddressChange AddressChange::swapIndices(std::uint64_t rows, std::uint64_t columns,
                                         std::uint64_t elementBytes) {
  AddressChange change(Kind::swap, columns * elementBytes);
  change.elementBytes_ = elementBytes;
  change.rows_ = rows;
  change.columns_ = columns;
  return change;
}

AddressChange AddressChange::structOfArrays(std::uint64_t structBytes, std::uint64_t count,
                                            std::vector<std::uint64_t> fields) {
  AddressChange change(Kind::fields, structBytes);
  change.rows_ = count;
  change.fields_ = std::move(fields);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < change.fields_.size(); ++i) {
    const std::uint64_t next = i + 1 < change.fields_.size() ? change.fields_[i + 1] : structBytes;
    change.arrays_.push_back(end);
    end += (next - change.fields_[i]) * count;
    end = (end + allocationAlignment - 1) / allocationAlignment * allocationAlignment;
  }
  change.padBytes_ = end;  // all arrays together
  return change;
}

std::size_t AddressChange::fieldAt(std::uint64_t inStruct) const {
  return static_cast<std::size_t>(std::upper_bound(fields_.begin(), fields_.end(), inStruct) -
                                  fields_.begin()) -
         1;
}

std::uint64_t AddressChange::map(std::uint64_t offset) const {
  const std::uint64_t row = offset / rowBytes_, inRow = offset % rowBytes_;
  switch (kind_) {
    case Kind::pad:
      return offset + row * padBytes_;
    case Kind::swizzle: {
      const std::uint64_t element = inRow / elementBytes_ ^ (row & (columns_ - 1));
      return row * rowBytes_ + element * elementBytes_ + inRow % elementBytes_;
    }
    case Kind::swap: {
      if (row >= rows_) return offset;  // behind the last whole row
      return (inRow / elementBytes_ * rows_ + row) * elementBytes_ + inRow % elementBytes_;
    }
    case Kind::fields: {
      const std::size_t field = fieldAt(inRow);
      const std::uint64_t end = field + 1 < fields_.size() ? fields_[field + 1] : rowBytes_;
      return arrays_[field] + row * (end - fields_[field]) + (inRow - fields_[field]);
    }
  }
  return offset;
}

std::uint64_t AddressChange::run(std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t inRow = offset % rowBytes_;
  std::uint64_t end = rowBytes_ - inRow;
  if (kind_ == Kind::swizzle || kind_ == Kind::swap) end = elementBytes_ - inRow % elementBytes_;
  if (kind_ == Kind::fields) {
    const std::size_t field = fieldAt(inRow);
    if (field + 1 < fields_.size()) end = fields_[field + 1] - inRow;
  }
  return std::min(end, bytes);
}

std::uint64_t AddressChange::bytesAfter(std::uint64_t bytesBefore) const {
  if (kind_ == Kind::pad) return bytesBefore + bytesBefore / rowBytes_ * padBytes_;
  return kind_ == Kind::fields ? std::max(padBytes_, bytesBefore) : bytesBefore;
}

AccessCost measureChanged(const AccessRecord& record, const AddressChange& change, std::uint64_t address,
                          std::uint64_t bytes, std::uint64_t newAddress, std::uint32_t& requests) {
  const format::Space space = format::spaceOf(record.flags);
  AccessCost total;
  requests = 0;
  if (record.bytes == 0 || record.bytes > maxPiecedBytes) {
    requests = 1;
    return measureRecord(record);
  }
  // Lanes whose next piece is equally long go together; one round unless structs are copied whole.
  std::array<std::uint32_t, format::lanesPerWarp> done{};
  for (std::uint32_t left = record.mask; left != 0;) {
    std::array<std::uint64_t, format::lanesPerWarp> lane{};
    std::uint32_t together = 0, length = 0;
    for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t offset = record.lane[i] - address;
      const std::uint32_t remaining = record.bytes - done[i];
      std::uint32_t piece = remaining;
      std::uint64_t place = record.lane[i] + done[i];
      if (offset < bytes) {
        piece = static_cast<std::uint32_t>(change.run(offset + done[i], remaining));
        place = newAddress + change.map(offset + done[i]);
      }
      if (together != 0 && piece != length) continue;
      length = piece;
      lane[i] = place;
      together |= 1u << i;
    }
    total += measureLanes(space, length, together, lane.data());
    ++requests;
    for (std::uint32_t rest = together; rest != 0; rest &= rest - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(rest));
      done[i] += length;
      if (done[i] >= record.bytes) left &= ~(1u << i);
    }
  }
  return total;
}

AccessCost measureRecord(const AccessRecord& record) {
  const format::Space space = format::spaceOf(record.flags);
  if (format::formOf(record.flags) == format::AddressForm::affine)
    return measureAffine(space, record.bytes, record.mask, record.address, record.stride);
  return measureLanes(space, record.bytes, record.mask, record.lane.data());
}

AccessCost& operator+=(AccessCost& total, const AccessCost& cost) {
  total.sectors += cost.sectors;
  total.idealSectors += cost.idealSectors;
  total.wavefronts += cost.wavefronts;
  total.idealWavefronts += cost.idealWavefronts;
  total.usefulBytes += cost.usefulBytes;
  return total;
}

}  // namespace cui::db
