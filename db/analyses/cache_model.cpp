// See cache_model.h.
#include "db/analyses/cache_model.h"

#include <algorithm>

#include "db/analyses/access_lanes.h"

namespace cui::db {

namespace {

constexpr GpuPreset presets[] = {
#define CUI_GPU(name, title, multiprocessors, l1, l2, dram, clock, threads, blocks) \
  {#name, title, multiprocessors, l1, l2, dram, clock, threads, blocks},
#include "db/analyses/gpu_presets.def"
#undef CUI_GPU
};

constexpr std::uint64_t lineBytes = 128, sectorsPerLine = lineBytes / sectorBytes;
// Not published; enough that their number matters little.
constexpr std::uint32_t l1Ways = 16, l2Ways = 16;
constexpr std::uint64_t leastL1Bytes = 16 << 10;

std::uint64_t setsOf(std::uint64_t bytes, std::uint32_t ways) {
  return std::max<std::uint64_t>(1, bytes / lineBytes / ways);
}

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
    : ways_(ways), sets_(setsOf(bytes, ways)), lines_(sets_ * ways) {}

SectorCache::Line& SectorCache::lineOf(std::uint64_t sector, bool& found) {
  const std::uint64_t tag = sector / sectorsPerLine;
  if (Line& last = lines_[last_]; last.tag == tag && last.used > emptyUpTo_) {
    found = true;
    last.used = ++clock_;
    return last;
  }
  // Hashed, as in hardware, so that powers of two do not all meet in one set.
  const std::uint64_t set = (tag * 0x9e3779b97f4a7c15u >> 32) % sets_;
  Line* const first = &lines_[set * ways_];
  Line* const last = first + ways_;
  Line* line = std::find_if(first, last, [&](const Line& l) { return l.used > emptyUpTo_ && l.tag == tag; });
  found = line != last;
  if (!found) {
    line = std::min_element(first, last, [](const Line& a, const Line& b) { return a.used < b.used; });
    *line = {tag, 0, 0};
  }
  line->used = ++clock_;
  last_ = static_cast<std::size_t>(line - lines_.data());
  return *line;
}

bool SectorCache::access(std::uint64_t sector) {
  const std::uint32_t bit = 1u << sector % sectorsPerLine;
  bool found = false;
  Line& line = lineOf(sector, found);
  const bool hit = (line.sectors & bit) != 0;
  line.sectors |= bit;
  return hit;
}

bool SectorCache::accessLine(std::uint64_t sector) {
  bool found = false;
  lineOf(sector, found);
  return found;
}

void SectorCache::clear(std::uint64_t bytes) {
  sets_ = std::min<std::uint64_t>(setsOf(bytes, ways_), lines_.size() / ways_);
  clear();
}

CacheTraffic& CacheTraffic::operator+=(const CacheTraffic& other) {
  sectors += other.sectors;
  l1Hits += other.l1Hits;
  l2Hits += other.l2Hits;
  dram += other.dram;
  l1StoreHits += other.l1StoreHits;
  dramStores += other.dramStores;
  return *this;
}

double CacheTraffic::l1HitRate() const {
  return sectors == 0 ? 0 : static_cast<double>(l1Hits + l1StoreHits) / static_cast<double>(sectors);
}

double CacheTraffic::l2HitRate() const {
  const std::uint64_t lookedUp = sectors - l1Hits;
  return lookedUp == 0 ? 0 : static_cast<double>(l2Hits + dramStores) / static_cast<double>(lookedUp);
}

CacheModel::CacheModel(const GpuPreset& gpu)
    : gpu_(gpu),
      l1_(gpu.multiprocessors, SectorCache(std::uint64_t{gpu.l1KiB} << 10, l1Ways)),
      l2_(std::uint64_t{gpu.l2KiB} << 10, l2Ways) {}

void CacheModel::beginLaunch(std::uint64_t sharedBytesPerMultiprocessor, bool coldL2) {
  if (coldL2) l2_.clear();
  const std::uint64_t whole = std::uint64_t{gpu_.l1KiB} << 10;
  const std::uint64_t bytes =
      std::max(std::min(leastL1Bytes, whole),
               whole > sharedBytesPerMultiprocessor ? whole - sharedBytesPerMultiprocessor : 0);
  for (SectorCache& l1 : l1_) l1.clear(bytes);
}

CacheTraffic CacheModel::load(std::uint32_t multiprocessor, std::uint64_t sector) {
  CacheTraffic traffic;
  traffic.sectors = 1;
  if (gpu_.l1KiB != 0 && l1_[multiprocessor % gpu_.multiprocessors].access(sector))
    traffic.l1Hits = 1;
  else if (gpu_.l2KiB != 0 && l2_.access(sector))
    traffic.l2Hits = 1;
  else
    traffic.dram = 1;
  return traffic;
}

CacheTraffic CacheModel::write(std::uint64_t sector, bool store) {
  CacheTraffic traffic;
  traffic.sectors = 1;
  if (gpu_.l2KiB != 0 && l2_.access(sector)) {
    traffic.l2Hits = 1;
  } else {
    traffic.dram = 1;
    traffic.dramStores = store ? 1 : 0;
  }
  return traffic;
}

CacheTraffic CacheModel::access(std::uint32_t multiprocessor, std::span<const std::uint64_t> sectors,
                                format::Kind kind) {
  using format::Kind;
  CacheTraffic traffic;
  if (kind != Kind::store && kind != Kind::atomic)
    for (const std::uint64_t sector : sectors) traffic += load(multiprocessor, sector);
  if (kind != Kind::store && kind != Kind::atomic && kind != Kind::rmw) return traffic;
  const bool store = kind != Kind::atomic;  // atomics are made by L2, whatever L1 has
  std::uint64_t line = ~std::uint64_t{0};
  bool inL1 = false;
  for (const std::uint64_t sector : sectors) {
    traffic += write(sector, store);
    if (!store) continue;
    // One look for all of the access's sectors of a line: the first does not make the second a hit.
    if (sector / sectorsPerLine != line) {
      line = sector / sectorsPerLine;
      inL1 = gpu_.l1KiB != 0 && l1_[multiprocessor % gpu_.multiprocessors].accessLine(sector);
    }
    traffic.l1StoreHits += inL1 ? 1 : 0;
  }
  return traffic;
}

}  // namespace cui::db
