// How many barriers had been passed when an access was made, as far as the trace tells.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "db/store/chunk_codec.h"
#include "db/store/trace_reader.h"

namespace cui::db {

class LaunchBarriers {
 public:
  enum class Known {
    nothing,
    ofBlocks,  ///< CPU backend: accesses and barriers of a block are in order (table barrier)
    ofWarps    ///< GPU: those of a warp are (table warp_barrier)
  };

  /// From here on, accesses of this launch.
  Error begin(const TraceReader& reader, std::int64_t launchId);
  Known known() const { return known_; }
  /// That the access's block, or its warp, had passed. Of the launch's accesses, in the order of their
  /// sequence.
  struct Passed {
    std::uint32_t all = 0;
    std::uint32_t ofGrid = 0;  ///< of these, where all blocks met
  };
  Passed passed(const AccessRecord& record, std::uint64_t sequence);

 private:
  struct Row {
    std::uint64_t sequence;  ///< from this access on
    std::uint64_t who;       ///< block, or lane of a warp
    Passed passed;
  };
  static std::uint64_t laneOf(std::uint32_t block, std::uint32_t warp, unsigned lane) {
    return std::uint64_t{block} << 10 | warp << 5 | lane;
  }
  Error askWhatIsKnown(const TraceReader& reader, std::int64_t launchId);

  Known known_ = Known::nothing;
  std::vector<Row> rows_;  ///< in the order of `sequence`
  std::size_t next_ = 0;
  std::unordered_map<std::uint64_t, Passed> passed_;
};

}  // namespace cui::db
