// Tells the runs of a graph's kernel apart. Its grid keeps one number however often the graph runs; the first
// run is the launch that was captured, and each later one gets a launch of its own here.
//
// A device says which run a record is of by marks (format/record.h: warpProgress), one in front of the first
// record that a lane of a warp leads in a run, and again where its records go on elsewhere. The kernel's
// entry has the number, too.
//
// Used by the drain thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cuinstrument/host/abi.h"
#include "hostlib/slot.h"

namespace cui::hostlib {

class GraphRuns {
 public:
  struct Sums {
    std::uint64_t requests = 0, threadAccesses = 0;
    void add(std::uint64_t count, std::uint32_t lanes) {
      requests += count;
      threadAccesses += count * lanes;
    }
  };
  using Write = std::function<void(std::uint64_t launchId, const Slot* slots, std::size_t count)>;

  /// Looks at every record: later runs begin with one that says so.
  void look(std::uint32_t key, const Slot& record) {
    if (laterRun(record) != 0) grids_.try_emplace(key);
  }
  bool isRepeated(std::uint32_t key) const { return grids_.count(key) != 0; }

  /// Whole records of a grid that is repeated: calls `write` for pieces of one run each. `newLaunch` makes
  /// the launch of a later run.
  void split(std::uint32_t key, std::uint64_t firstLaunch, const Slot* slots, std::size_t count,
             const std::function<std::uint64_t(std::uint32_t run)>& newLaunch, const Write& write);

  /// The device's count of a grid that is repeated, over all its runs.
  void count(const CuiCounter& counter);
  /// Hands on what was counted, by launch: a later run's is what was written for it, the first has the rest,
  /// so that it disagrees with its records if any is missing.
  void takeCounts(const std::function<void(std::uint64_t launchId, const CuiCounter& counter)>& take);

 private:
  struct Grid {
    std::map<std::uint32_t, std::uint64_t> launches;                  ///< by run
    std::unordered_map<std::uint64_t, std::uint32_t> lanes;           ///< the run each lane is in
    std::map<std::pair<std::uint32_t, std::uint32_t>, Sums> written;  ///< by run and site
    std::map<std::uint32_t, Sums> counted;                            ///< by site
  };
  static std::uint32_t laterRun(const Slot& record);
  static std::uint32_t runOf(Grid& grid, const Slot& record);

  std::unordered_map<std::uint32_t, Grid> grids_;
};

}  // namespace cui::hostlib
