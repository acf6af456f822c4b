// A launch's accesses through the simulated caches, in the order in which a GPU might make them: whatever the
// order of the trace, which is that of the recording.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "db/analyses/cache_model.h"
#include "db/analyses/trace_model.h"
#include "db/store/chunk_codec.h"

namespace cui::db {

/// Multiprocessors take blocks in order, as many at a time as fit; a block that ends makes room for the next
/// one. Each multiprocessor makes one access of each of its warps in turn, and so do the multiprocessors.
class CacheSimulation {
 public:
  /// What an access that was added with `tag` led to. Called in the order of the simulation.
  using Sink = std::function<void(std::uint32_t tag, const CacheTraffic& traffic)>;

  /// `memoryBytes`: what accesses that wait may take; of a launch that is larger, parts are simulated one
  /// after the other.
  CacheSimulation(const GpuPreset& gpu, std::uint64_t memoryBytes, Sink sink);

  void beginLaunch(const Launch& launch, std::uint64_t sharedBytesPerBlock, bool coldL2 = false);
  void add(const AccessRecord& record, format::Kind kind, std::uint32_t tag);
  /// As if the lanes were at other addresses than the record says.
  void add(const AccessRecord& record, const std::array<std::uint64_t, format::lanesPerWarp>& lane,
           format::Kind kind, std::uint32_t tag);
  void endLaunch() { run(); }

 private:
  struct Waiting {
    std::uint64_t warp = 0;  ///< of the whole grid, so that a block's warps are neighbours
    std::uint32_t number = 0;
    std::uint32_t tag = 0;
    std::uint32_t firstSector = 0;
    std::uint16_t sectorCount = 0;
    format::Kind kind = format::Kind::load;
  };
  /// The accesses of one warp that are left.
  struct Stream {
    std::size_t next = 0, end = 0, block = 0;
  };
  struct Multiprocessor {
    std::vector<Stream> streams;
    std::size_t turn = 0;
  };

  /// An access whose sectors are those from `firstSector` on.
  void wait(const AccessRecord& record, format::Kind kind, std::uint32_t tag, std::size_t firstSector);
  void run();
  void splitIntoStreams();
  /// The next block, if there is one, goes to this multiprocessor.
  void place(Multiprocessor& multiprocessor);
  void step(std::uint32_t number);

  CacheModel caches_;
  const GpuPreset& gpu_;
  const std::uint64_t memoryBytes_;
  const Sink sink_;
  std::uint64_t warpsPerBlock_ = 1;
  std::uint32_t blocksAtATime_ = 1;
  std::vector<Waiting> waiting_;
  std::vector<std::uint64_t> sectors_;
  std::vector<Stream> streams_;              ///< of all warps, by block
  std::vector<std::size_t> streamsOfBlock_;  ///< how many of them are not at their end
  std::vector<Multiprocessor> multiprocessors_;
  std::size_t nextStream_ = 0;
};

}  // namespace cui::db
