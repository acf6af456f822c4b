// See cache_model.h.
#include "db/analyses/cache_model.h"

#include <algorithm>
#include <array>

#include "db/analyses/access_lanes.h"

namespace cui::db {

namespace {

constexpr GpuPreset presets[] = {
#define CUI_GPU(name, title, multiprocessors, l1, l2, dram, clock) \
  {#name, title, multiprocessors, l1, l2, dram, clock},
#include "db/analyses/gpu_presets.def"
#undef CUI_GPU
};

constexpr std::uint64_t lineBytes = 128, sectorsPerLine = lineBytes / sectorBytes;
// Not published; enough that their number matters little.
constexpr std::uint32_t l1Ways = 16, l2Ways = 16;
constexpr std::uint64_t leastL1Bytes = 16 << 10;

}  // namespace

std::span<const GpuPreset> gpuPresets() {
  return presets;
}

const GpuPreset* findGpuPreset(std::string_view name) {
  for (const GpuPreset& preset : presets)
    if (name == preset.name) return &preset;
  return nullptr;
}

SectorCache::SectorCache(std::uint64_t bytes, std::uint32_t ways)
    : ways_(ways), sets_(std::max<std::uint64_t>(1, bytes / lineBytes / ways)), lines_(sets_ * ways) {}

bool SectorCache::access(std::uint64_t sector, bool allocate) {
  const std::uint64_t tag = sector / sectorsPerLine;
  const std::uint32_t bit = 1u << sector % sectorsPerLine;
  // Hashed, as in hardware, so that powers of two do not all meet in one set.
  const std::uint64_t set = (tag * 0x9e3779b97f4a7c15u >> 32) % sets_;
  Line* const first = &lines_[set * ways_];
  Line* const last = first + ways_;
  Line* line = std::find_if(first, last, [tag](const Line& l) { return l.used != 0 && l.tag == tag; });
  if (line != last) {
    line->used = ++clock_;
    const bool hit = (line->sectors & bit) != 0;
    if (allocate) line->sectors |= bit;
    return hit;
  }
  if (allocate) {
    line = std::min_element(first, last, [](const Line& a, const Line& b) { return a.used < b.used; });
    *line = {tag, ++clock_, bit};
  }
  return false;
}

void SectorCache::clear() {
  std::fill(lines_.begin(), lines_.end(), Line());
}

CacheTraffic& CacheTraffic::operator+=(const CacheTraffic& other) {
  sectors += other.sectors;
  l1Hits += other.l1Hits;
  l2Hits += other.l2Hits;
  dram += other.dram;
  return *this;
}

CacheModel::CacheModel(const GpuPreset& gpu) : gpu_(gpu), l2_(std::uint64_t{gpu.l2KiB} << 10, l2Ways) {}

void CacheModel::beginLaunch(std::uint64_t sharedBytesPerBlock) {
  const std::uint64_t whole = std::uint64_t{gpu_.l1KiB} << 10;
  const std::uint64_t bytes =
      std::max(leastL1Bytes, whole > sharedBytesPerBlock ? whole - sharedBytesPerBlock : 0);
  l1_.assign(gpu_.multiprocessors, SectorCache(bytes, l1Ways));
}

CacheTraffic CacheModel::sector(std::uint32_t block, std::uint64_t sector, bool load) {
  CacheTraffic traffic;
  traffic.sectors = 1;
  if (!l1_.empty() && l1_[block % gpu_.multiprocessors].access(sector, load) && load)
    traffic.l1Hits = 1;
  else if (l2_.access(sector, true))
    traffic.l2Hits = 1;
  else
    traffic.dram = 1;
  return traffic;
}

CacheTraffic CacheModel::access(const AccessRecord& record, const std::array<std::uint64_t, 32>& lane,
                                format::Kind kind) {
  CacheTraffic traffic;
  const auto all = [&](bool load) {
    eachSector(record, lane, [&](std::uint64_t number) { traffic += sector(record.block, number, load); });
  };
  if (kind != format::Kind::store && kind != format::Kind::atomic) all(true);
  if (kind == format::Kind::store || kind == format::Kind::atomic || kind == format::Kind::rmw) all(false);
  return traffic;
}

}  // namespace cui::db
