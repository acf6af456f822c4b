// From one group of lanes at one access to record slots: spaces, shared offsets, address forms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "block_output.h"
#include "fiber.h"
#include "indices.h"
#include "shared_window.h"
#include "warp_logs.h"

namespace cui::cpu {

/// What a grid has recorded of one site, for the trace's completeness check.
struct SiteCount {
  std::uint64_t requests = 0;
  std::uint64_t threadAccesses = 0;
};

class Encoder {
 public:
  Encoder(SharedWindow& shared, const FiberPool& fibers) : shared_(shared), fibers_(fibers) {}

  void beginBlock(BlockRecords& records, std::uint32_t launchKey, std::uint32_t block) {
    records_ = &records;
    launchKey_ = launchKey;
    block_ = block;
  }
  void beginWarp(std::uint32_t warp) { warp_ = warp; }
  /// Where the cluster's other blocks have their shared memory, by rank, null for the block itself; of a
  /// block by itself there are none.
  void setOthers(std::vector<const SharedWindow*> others) { others_ = std::move(others); }

  /// One access by `lanes`, all with this key. address[lane] for every lane of the set; values[lane]
  /// points at the lane's value if the key says that there are values.
  void access(std::uint32_t lanes, std::uint64_t key, const std::uint64_t* address,
              const unsigned char* const* values);

  /// Hands over what has been counted since the last call: calls `take(site, count)` for every site.
  template <class Take>
  void takeCounts(Take take) {
    for (const std::uint32_t site : countedSites_) {
      take(site, counts_[site]);
      counts_[site] = {};
    }
    countedSites_.clear();
  }

  /// The block's threads have met: what is recorded from here on came after it.
  void barrier(bool ofGrid);

  /// A record that is wanted once per launch.
  void announce(format::RecordType type, std::uint32_t firstSite, std::uint64_t address,
                std::uint32_t activeMask, std::uint32_t block, std::int32_t stride);

 private:
  /// Lanes in one space.
  struct Group {
    std::uint32_t lanes;
    const std::uint64_t* address;  ///< by lane …
    std::uint64_t shift;           ///< … to be added to each
    bool isAffine;
    std::int32_t stride;
  };
  static Group groupOf(std::uint32_t lanes, const std::uint64_t* address);
  void accessSeveralSpaces(std::uint32_t lanes, std::uint64_t key, const std::uint64_t* address,
                           const unsigned char* const* values);
  void emit(const Group& group, std::uint64_t key, format::Space space, const unsigned char* const* values);
  /// What is shared memory of another block gets its offset there, and the block's rank (cluster.h): where
  /// the block's worker has it differs from run to run.
  bool translateOthers(std::uintptr_t address, std::size_t bytes, std::uint64_t& offset);
  bool meetsOthers(std::uintptr_t lowest, std::uintptr_t highest) const {
    return std::any_of(others_.begin(), others_.end(), [=](const SharedWindow* other) {
      return other != nullptr && other->mayHold(lowest, highest);
    });
  }
  bool isLocal(std::uintptr_t address) const { return fibers_.ownsAddress(address) || isInIndex(address); }

  SharedWindow& shared_;
  const FiberPool& fibers_;
  void count(std::uint32_t site, std::uint32_t lanes) {
    if (site >= counts_.size()) counts_.resize(site + 1);
    SiteCount& siteCount = counts_[site];
    if (siteCount.requests++ == 0) countedSites_.push_back(site);
    siteCount.threadAccesses += static_cast<unsigned>(__builtin_popcount(lanes));
  }

  std::vector<const SharedWindow*> others_;
  BlockRecords* records_ = nullptr;
  std::vector<SiteCount> counts_;  ///< by process-wide site index
  std::vector<std::uint32_t> countedSites_;
  std::uint32_t launchKey_ = 0;
  std::uint32_t block_ = 0;
  std::uint32_t warp_ = 0;
};

}  // namespace cui::cpu
