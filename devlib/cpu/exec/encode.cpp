#include "encode.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "cluster.h"
#include "units.h"

namespace cui::cpu {

using backend::AccessKey;
using format::AddressForm;
using format::RecordType;
using format::Space;

namespace {

constexpr std::uint32_t generation = 1;  // the queue has no laps; 0 would mean "not written"
constexpr std::uint32_t siteMask = (1u << AccessKey::siteBits) - 1;
constexpr std::uint32_t bytesMask = (1u << AccessKey::bytesBits) - 1;

/// The stride of lanes whose addresses form address + stride * (lane - first); false if they do not.
bool affineStride(std::uint32_t lanes, const std::uint64_t* address, std::int32_t& stride) {
  const unsigned first = firstLane(lanes);
  const std::uint32_t rest = lanes & (lanes - 1);
  stride = 0;
  if (rest == 0) return true;
  const unsigned second = firstLane(rest);
  const auto step = static_cast<std::int64_t>(address[second] - address[first]);
  const auto distance = static_cast<std::int64_t>(second - first);
  const std::int64_t perLane = step / distance;
  if (perLane * distance != step || perLane != static_cast<std::int32_t>(perLane)) return false;
  stride = static_cast<std::int32_t>(perLane);
  std::uint64_t difference = 0;
  const std::uint64_t origin = address[first] - static_cast<std::uint64_t>(perLane * first);
  if (lanes == allLanes) {
    std::uint64_t expected = origin;  // sums, which a vector unit has for 64 bits; products it has not
    for (unsigned lane = 0; lane < warpLanes; ++lane) {
      difference |= address[lane] ^ expected;
      expected += static_cast<std::uint64_t>(perLane);
    }
  } else {
    for (std::uint32_t left = rest; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      difference |= address[lane] ^ (origin + static_cast<std::uint64_t>(perLane * lane));
    }
  }
  return difference == 0;
}

bool fitsOffsets32(std::uint32_t lanes, const std::uint64_t* address) {
  const std::uint64_t base = address[firstLane(lanes)];
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto offset = static_cast<std::int64_t>(address[firstLane(left)] - base);
    if (offset != static_cast<std::int32_t>(offset)) return false;
  }
  return true;
}

/// Nothing in an address tells constant memory and textures from the rest of global memory.
Space globalSpace(std::uint32_t site) {
  const Space space = staticSpace(site);
  return space == Space::constant || space == Space::texture ? space : Space::global;
}

}  // namespace

Encoder::Group Encoder::groupOf(std::uint32_t lanes, const std::uint64_t* address) {
  Group group = {lanes, address, 0, false, 0};
  group.isAffine = affineStride(lanes, address, group.stride);
  return group;
}

void Encoder::access(std::uint32_t lanes, std::uint64_t key, const std::uint64_t* address,
                     const unsigned char* const* values) {
  Group group = groupOf(lanes, address);
  const std::uint64_t first = address[firstLane(lanes)];
  std::uint64_t lowest = first, highest = address[31 - __builtin_clz(lanes)];
  if (group.isAffine) {
    if (lowest > highest) std::swap(lowest, highest);
  } else {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      lowest = std::min(lowest, address[firstLane(left)]);
      highest = std::max(highest, address[firstLane(left)]);
    }
  }
  if (!shared_.mayMeet(lowest, highest) && !fibers_.meetsAddresses(lowest, highest) &&
      !meetsOthers(lowest, highest))
    return emit(group, key, globalSpace(static_cast<std::uint32_t>(key) & siteMask), values);
  if (shared_.shiftWithin(lowest, highest, group.shift)) return emit(group, key, Space::shared, values);
  accessSeveralSpaces(lanes, key, address, values);
}

/// Lanes of one access may point into different spaces: one record per space. What is the thread's own is
/// recorded only at sites that say so (--local-arrays), as on a GPU.
void Encoder::accessSeveralSpaces(std::uint32_t lanes, std::uint64_t key, const std::uint64_t* address,
                                  const unsigned char* const* values) {
  const std::size_t bytes = (key >> AccessKey::siteBits) & bytesMask;
  std::uint64_t offset[warpLanes];
  std::uint32_t local = 0, shared = 0, others = 0;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = firstLane(left);
    if (isLocal(address[lane]))
      local |= 1u << lane;
    else if (shared_.mayContain(address[lane]) && shared_.translate(address[lane], bytes, offset[lane]))
      shared |= 1u << lane;
    else if (translateOthers(address[lane], bytes, offset[lane]))
      others |= 1u << lane;
  }
  if ((local | shared | others) == 0)
    return emit(groupOf(lanes, address), key, globalSpace(static_cast<std::uint32_t>(key) & siteMask),
                values);
  const std::uint32_t global = lanes & ~local & ~shared & ~others;
  std::uint32_t left = lanes;
  while (left != 0) {  // in the order of their lowest lanes
    const std::uint32_t lowest = left & (0u - left);
    const std::uint32_t group = lowest & shared   ? shared
                                : lowest & local  ? local
                                : lowest & others ? others
                                                  : global;
    // Another block's shared memory is in no space that a device names.
    const Space space = group == shared   ? Space::shared
                        : group == local  ? Space::local
                        : group == others ? Space::generic
                                          : Space::global;
    if (space != Space::local || staticSpace(static_cast<std::uint32_t>(key) & siteMask) == Space::local)
      emit(groupOf(group, group == shared || group == others ? offset : address), key, space, values);
    left &= ~group;
  }
}

bool Encoder::translateOthers(std::uintptr_t address, std::size_t bytes, std::uint64_t& offset) {
  for (std::size_t rank = 0; rank < others_.size(); ++rank) {
    const SharedWindow* const other = others_[rank];
    if (other == nullptr || !other->holds(address)) continue;
    // The same variable has the same place here, if the block has come to it.
    if (!shared_.translate(shared_.begin() + (address - other->begin()), bytes, offset)) return false;
    offset = offsetInBlock(offset, rank);
    return true;
  }
  return false;
}

void Encoder::emit(const Group& group, std::uint64_t key, Space space, const unsigned char* const* values) {
  const std::uint32_t lanes = group.lanes;
  const std::uint64_t* const address = group.address;
  const auto site = static_cast<std::uint32_t>(key) & siteMask;
  const auto bytes = static_cast<std::uint32_t>(key >> AccessKey::siteBits) & bytesMask;
  const bool withValues = (key & AccessKey::valueBit) != 0;
  const unsigned first = firstLane(lanes);
  count(site, lanes);
  const AddressForm form = group.isAffine                  ? AddressForm::affine
                           : fitsOffsets32(lanes, address) ? AddressForm::offsets32
                                                           : AddressForm::full64;
  const std::uint8_t flags = format::makeFlags(RecordType::access, form, space, withValues);
  const std::uint32_t slots = 1 + format::payloadSlots(flags, bytes);
  WarpRecord* record = records_->slots.reserve(slots);
  record->address = address[first] + group.shift;
  record->activeMask = lanes;
  record->warpAndBytes = format::makeWarpAndBytes(warp_, bytes);
  record->flags = flags;
  record->generationA = generation;
  record->siteAndGeneration = site | generation << 24;
  record->launch = launchKey_;
  record->block = block_;
  record->stride = form == AddressForm::affine ? group.stride : 0;
  auto* payload = reinterpret_cast<unsigned char*>(record + 1);
  if (form == AddressForm::offsets32) {
    std::int32_t offsets[warpLanes] = {};
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      offsets[lane] = static_cast<std::int32_t>(address[lane] - address[first]);
    }
    std::memcpy(payload, offsets, sizeof offsets);
    payload += sizeof offsets;
  } else if (form == AddressForm::full64) {
    std::uint64_t full[warpLanes] = {};
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      full[lane] = address[lane] + group.shift;
    }
    std::memcpy(payload, full, sizeof full);
    payload += sizeof full;
  }
  if (withValues) {
    std::memset(payload, 0, std::size_t{bytes} * warpLanes);
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
      const unsigned lane = firstLane(left);
      std::memcpy(payload + std::size_t{lane} * bytes, values[lane], bytes);
    }
  }
  records_->slots.commit(slots);
}

void Encoder::barrier(bool ofGrid) {
  WarpRecord* record = records_->slots.reserve(1);
  *record = {};
  record->flags = format::makeFlags(RecordType::barrier, AddressForm::affine, Space::generic, false);
  record->generationA = generation;
  record->siteAndGeneration = generation << 24;
  record->launch = launchKey_;
  record->block = block_;
  record->activeMask = ofGrid ? 1 : 0;
  records_->slots.commit(1);
}

void Encoder::announce(RecordType type, std::uint32_t firstSite, std::uint64_t address,
                       std::uint32_t activeMask, std::uint32_t block, std::int32_t stride) {
  WarpRecord record = {};
  record.address = address;
  record.activeMask = activeMask;
  record.warpAndBytes = format::makeWarpAndBytes(warp_, 0);
  record.flags = format::makeFlags(type, AddressForm::affine, Space::generic, false);
  record.generationA = generation;
  record.siteAndGeneration = firstSite | generation << 24;
  record.launch = launchKey_;
  record.block = block;
  record.stride = stride;
  records_->announcements.push_back(record);
}

}  // namespace cui::cpu
