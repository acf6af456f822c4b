// A simulation of a GPU's L1 and L2 caches on the recorded sectors. docs/analyses.md states what it assumes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "db/store/chunk_codec.h"

namespace cui::db {

/// A row of gpu_presets.def.
struct GpuPreset {
  const char* name;
  const char* title;
  std::uint32_t multiprocessors, l1KiB, l2KiB;
  double dramGBs, clockMHz;
};
std::span<const GpuPreset> gpuPresets();
const GpuPreset* findGpuPreset(std::string_view name);

/// Set-associative, least recently used out first; lines of 128 bytes whose four sectors are filled one by
/// one.
class SectorCache {
 public:
  SectorCache(std::uint64_t bytes, std::uint32_t ways);
  /// True: the sector (address / 32) was there. It is afterwards if `allocate`.
  bool access(std::uint64_t sector, bool allocate);
  void clear();

 private:
  struct Line {
    std::uint64_t tag = 0, used = 0;  ///< used 0: empty
    std::uint32_t sectors = 0;
  };
  std::uint32_t ways_;
  std::uint64_t sets_, clock_ = 0;
  std::vector<Line> lines_;
};

struct CacheTraffic {
  std::uint64_t sectors = 0, l1Hits = 0, l2Hits = 0, dram = 0;
  CacheTraffic& operator+=(const CacheTraffic& other);
};

/// One L1 for each multiprocessor, block b on multiprocessor b mod their number; one L2 for all, which keeps
/// its contents from launch to launch. Loads fill both; stores and atomics go through L1 to L2.
class CacheModel {
 public:
  explicit CacheModel(const GpuPreset& gpu);
  /// L1 starts empty, smaller by what a block takes as shared memory.
  void beginLaunch(std::uint64_t sharedBytesPerBlock);
  CacheTraffic sector(std::uint32_t block, std::uint64_t sector, bool load);
  /// All sectors of an access whose lanes' addresses are given. A read-modify-write is a load and a store; a
  /// struct copy, whose direction the source does not tell, a load.
  CacheTraffic access(const AccessRecord& record, const std::array<std::uint64_t, 32>& lane,
                      format::Kind kind);

 private:
  const GpuPreset& gpu_;
  std::vector<SectorCache> l1_;
  SectorCache l2_;
};

}  // namespace cui::db
