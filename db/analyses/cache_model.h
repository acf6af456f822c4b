// A simulation of a GPU's L1 and L2 caches on the recorded sectors. docs/analyses.md states what it assumes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cuinstrument/format/record.h"

namespace cui::db {

/// A row of gpu_presets.def, or one made of it. No KiB: there is no such cache.
struct GpuPreset {
  const char* name;
  const char* title;
  std::uint32_t multiprocessors, l1KiB, l2KiB;
  double dramGBs, clockMHz;
  std::uint32_t threadsPerMultiprocessor, blocksPerMultiprocessor;  ///< that run at a time
};
std::span<const GpuPreset> gpuPresets();
const GpuPreset* findGpuPreset(std::string_view name);

/// Set-associative, least recently used out first; lines of 128 bytes whose four sectors are filled one by
/// one.
class SectorCache {
 public:
  SectorCache(std::uint64_t bytes, std::uint32_t ways);
  /// True: the sector (address / 32) was there. It is afterwards.
  bool access(std::uint64_t sector);
  /// True: the sector's line was there. It is afterwards, with the sectors it had.
  bool accessLine(std::uint64_t sector);
  /// Empty at once, however large; for the second, no larger than it was made.
  void clear() { emptyUpTo_ = clock_; }
  void clear(std::uint64_t bytes);

 private:
  struct Line {
    std::uint64_t tag = 0, used = 0;  ///< used up to emptyUpTo_: empty
    std::uint32_t sectors = 0;
  };
  /// The line, made the latest used; if it was not there, the one used least recently, empty.
  Line& lineOf(std::uint64_t sector, bool& found);

  std::uint32_t ways_;
  std::uint64_t sets_, clock_ = 0, emptyUpTo_ = 0;
  std::vector<Line> lines_;
  std::size_t last_ = 0;  ///< the line looked up last: an access has up to four sectors of one
};

/// Sectors: each is an L1 hit of a load, or an L2 hit, or traffic from or (sooner or later) to DRAM.
struct CacheTraffic {
  std::uint64_t sectors = 0, l1Hits = 0, l2Hits = 0, dram = 0;
  std::uint64_t l1StoreHits = 0;  ///< stores whose line L1 had; they go on to L2
  std::uint64_t dramStores = 0;   ///< of `dram`: stores that L2 takes without reading what it does not have
  CacheTraffic& operator+=(const CacheTraffic& other);

  /// As Nsight Compute counts, 0 to 1: to L2 every store is a hit.
  double l1HitRate() const;
  double l2HitRate() const;
};

/// One L1 for each multiprocessor; one L2 for all, which keeps its contents from launch to launch. Loads fill
/// both; stores and atomics go through L1 to L2. A store takes a line of L1, and finds its sectors in a line
/// that is there.
class CacheModel {
 public:
  explicit CacheModel(const GpuPreset& gpu);
  /// L1 starts empty, smaller by what its multiprocessor's blocks take as shared memory.
  void beginLaunch(std::uint64_t sharedBytesPerMultiprocessor, bool coldL2 = false);
  /// An access to these sectors (address / 32, each once). A read-modify-write is a load and a store; a
  /// struct copy, whose direction the source does not tell, a load.
  CacheTraffic access(std::uint32_t multiprocessor, std::span<const std::uint64_t> sectors,
                      format::Kind kind);

 private:
  CacheTraffic load(std::uint32_t multiprocessor, std::uint64_t sector);
  /// Of a store or an atomic: L2's part.
  CacheTraffic write(std::uint64_t sector, bool store);

  const GpuPreset& gpu_;
  std::vector<SectorCache> l1_;
  SectorCache l2_;
};

}  // namespace cui::db
