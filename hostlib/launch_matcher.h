// Tells which host launch a grid of one device belongs to.
//
// A device numbers its grids (%gridid) in the order of their launches, but launches that are not
// instrumented take numbers too, and kernels in several streams start out of order. What is certain:
//   1. numbers grow in launch order;
//   2. within one stream a kernel's entry record comes after those of the launches before it;
//   3. the entry names the kernel and its extents;
//   4. a launch known to have finished has sent its entry, once the ring has been drained;
//   5. a grid that began before a launch's call is not that launch's.
// An entry is matched as soon as one launch only can be meant. Until then it waits; settle() uses 4, and
// guess() takes the most likely launch when nothing more will be learned. 5 is asked of kernels of which a
// graph has a node, too: that runs whenever it likes.
//
// Used by the drain thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "hostlib/launch_times.h"
#include "hostlib/waiting_grids.h"

namespace cui::hostlib {

struct Match {
  std::uint32_t key = 0;  ///< WarpRecord::launch
  std::uint64_t launchId = 0;
  std::string kernel;  ///< that the entry named
};

class LaunchMatcher {
 public:
  /// `times`, if any, must live as long; knows when grids began.
  explicit LaunchMatcher(const LaunchTimes* times = nullptr) : times_(times) {}

  /// The next grid of the device gets this number.
  void setBase(std::uint64_t nextGrid);

  /// A launch the runtime accepted, by a call that began at `beginNs` (0: not known). Ids ascend with host
  /// order but may arrive out of order.
  void launched(std::uint64_t launchId, LaunchShape shape, std::uint64_t stream, std::int64_t beginNs = 0);
  /// A launch that became a graph's node: its grid comes whenever the graph runs, or never.
  void captured(std::uint64_t launchId, LaunchShape shape);
  /// It does not run any more.
  void forget(std::uint64_t launchId) { captured_.erase(launchId); }
  /// Grid `key` runs again and again, as a graph's node does: it is no other launch's.
  void repeats(std::uint32_t key);
  /// The launch has finished on the device.
  void finished(std::uint64_t launchId);
  /// Whether a launch that was announced, and not captured, may be the one that entered as grid `key`.
  bool expects(std::uint32_t key, const LaunchShape& entry) const;
  /// An entry record of grid `key` was drained.
  void entered(std::uint32_t key, LaunchShape shape);

  /// All records of finished launches have been drained.
  void settle();
  /// Matches what is left to the first launches that fit.
  void guess();

  std::optional<std::uint64_t> find(std::uint32_t key) const;
  /// The number of which `key` is the low half.
  std::uint64_t gridOf(std::uint32_t key) const;
  /// The last few thousand launches whose grids are known, by these, but for graphs' nodes; in front of them
  /// "launch 0", which has the number in front of the first.
  const std::map<std::uint64_t, std::uint64_t>& recent() const { return recent_; }
  /// The launches of the grids with the next lower and the next higher number that are known.
  struct Neighbours {
    std::optional<std::uint64_t> before, after;
  };
  Neighbours neighbours(std::uint32_t key) const;
  /// Matches made since the last call.
  std::vector<Match> takeMatches();

  /// Entries that no launch has been found for.
  const std::map<std::uint64_t, LaunchShape>& unmatchedEntries() const { return entries_.all(); }
  /// Declares the grid to be launch `launchId`, which was not announced.
  void adopt(std::uint32_t key, std::uint64_t launchId);
  /// The same of a launch whose number is in host order, as that of the program's other launches.
  void adoptInOrder(std::uint32_t key, std::uint64_t launchId);
  /// The first launch that may have begun, and whose grid did not say so; 0: there is none.
  std::uint64_t firstSilent() const { return launches_.empty() ? 0 : launches_.begin()->first; }
  /// Matches that guess() had to make.
  std::uint64_t guesses() const { return guesses_; }

 private:
  struct Launch {
    LaunchShape shape;
    std::uint64_t stream = 0;
    std::int64_t beginNs = 0;
    bool finished = false;
  };
  using Launches = std::map<std::uint64_t, Launch>;  ///< by id: in host order

  struct Certain {
    std::uint64_t grid = 0, launchId = 0;
  };

  void resolve();
  std::optional<Certain> firstCertain() const;
  /// Whether they fit, and if so whether that can be told from a graph's node.
  enum class Fit { no, unclear, yes };
  Fit fitOf(const Launch& launch, std::uint64_t grid, const LaunchShape& entry) const;
  bool canBe(const Launch& launch, std::uint64_t grid, const LaunchShape& entry) const {
    return fitOf(launch, grid, entry) != Fit::no;
  }
  bool beganTooEarly(std::uint64_t grid, const LaunchShape& entry) const;
  std::optional<std::uint64_t> onlyLaunch(std::uint64_t grid, const LaunchShape& entry) const;
  std::optional<std::uint64_t> firstGridOf(const Launch& launch, std::uint64_t from) const;
  std::optional<std::uint64_t> capturedLaunch(const LaunchShape& entry) const;
  void match(std::uint64_t grid, std::uint64_t launchId);
  void remember(std::uint64_t grid, std::uint64_t launchId, std::string kernel);
  void addRecent(std::uint64_t grid, std::uint64_t launchId);
  void remove(std::uint64_t launchId);

  const LaunchTimes* times_;
  std::uint64_t base_ = 0;
  bool haveBase_ = false;
  Launches launches_;                                                   ///< unmatched
  std::unordered_map<std::uint64_t, std::set<std::uint64_t>> streams_;  ///< unmatched, per stream
  Launches captured_;
  std::set<LaunchShape> nodeShapes_;              ///< that any graph's node ever had
  WaitingGrids entries_;                          ///< unmatched
  std::map<std::uint64_t, std::uint64_t> ahead_;  ///< matched launches with unmatched ones before them
  /// Grid of the last launch before the first unmatched one.
  std::uint64_t frontier_ = 0;
  std::unordered_map<std::uint32_t, std::uint64_t> byKey_;
  std::deque<std::uint32_t> order_;  ///< of byKey_'s entries, to forget the oldest
  std::map<std::uint64_t, std::uint64_t> recent_;
  std::vector<Match> matches_;
  std::uint64_t guesses_ = 0;
};

}  // namespace cui::hostlib
