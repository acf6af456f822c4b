// Sorts drained records by launch and passes everything on to the sink. Records of a grid whose launch is
// not yet known are held, within a bound. Used by the drain thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "hostlib/event.h"
#include "hostlib/graph_nodes.h"
#include "hostlib/graph_runs.h"
#include "hostlib/lane_logs.h"
#include "hostlib/launch_matcher.h"
#include "hostlib/launch_times.h"
#include "hostlib/library_launches.h"
#include "hostlib/record_sink.h"
#include "hostlib/selection.h"
#include "hostlib/slot_batch.h"
#include "hostlib/unit_registry.h"

namespace cui::hostlib {

class Router {
 public:
  /// `newLaunchId` numbers launches that nobody announced. `holdBytes` bounds the held records. Records and
  /// counts of launches that `selection` does not include, or that begin at `untilNs` or later, are left out.
  Router(RecordSink& sink, const UnitRegistry& units, std::function<std::uint64_t()> newLaunchId,
         std::uint64_t holdBytes, Selection selection = {},
         std::int64_t untilNs = std::numeric_limits<std::int64_t>::max());

  /// From here on the device's records carry grid numbers, not launch ids.
  void attachRing(std::int32_t device);
  void handle(const Event& event);
  /// Records of a device's ring, or with device -1 of the CPU backend.
  void route(std::int32_t device, const Slot* slots, std::size_t count);
  /// The same of a batch, whose memory may be kept.
  void route(std::int32_t device, SlotBatch& batch);
  /// Matches and writes out all that is still held.
  void finish();

  /// Sum of the values of statistics that mean something is missing, by name.
  const std::map<std::string, std::int64_t>& losses() const { return losses_; }
  /// If the user's selection leaves all launches out: what it could have named. Else "".
  std::string nothingSelected() const;

 private:
  struct Grids {  ///< of one device with a ring
    Grids() = default;
    Grids(const Grids&) = delete;  // `matcher` knows where `times` are
    Grids& operator=(const Grids&) = delete;

    LaunchTimes times;
    LaunchMatcher matcher{&times};
    std::unordered_map<std::uint32_t, std::vector<Slot>> held;  ///< by key
    std::vector<CuiCounter> counters;                           ///< of grids not matched yet
    GraphRuns runs;
    GraphNodes nodes;
    LaneLogs logs;
    /// Of later runs, by key and run: what their entries said, where that may be something else than before.
    std::map<std::pair<std::uint32_t, std::uint32_t>, LaunchShape> runShapes;
    std::unordered_map<std::uint64_t, std::pair<LaunchShape, std::int32_t>> adopted;  ///< with their device
    LibraryLaunches libraryLaunches;
    std::map<std::pair<std::uint64_t, std::uint32_t>, CuiProfile>
        profile;  ///< by key and site, not written yet
    /// Of a graph's kernel in profile mode, by key: the run that sums were written for last, and how many
    /// runs have begun since.
    struct ProfileRuns {
      std::uint64_t launchId = 0;  ///< 0: none yet
      std::uint32_t begun = 0;
    };
    std::unordered_map<std::uint32_t, ProfileRuns> profileRuns;
  };

  void on(const UnitEvent& e);
  void on(const DeviceEvent& e);
  void on(const LaunchEvent& e);
  void on(const GraphNodeEvent& e);
  void on(const LibraryLaunchEvent& e);
  void on(const LaunchEndEvent& e);
  void on(const LaunchMadeEvent& e);
  void on(const LaunchTimeEvent& e);
  void on(const GridBaseEvent& e);
  void on(const DeviceTimerEvent& e);
  void on(const AllocationEvent& e);
  void on(const FreeEvent& e);
  void on(const HoldsEvent& e);
  void on(const VariableEvent& e);
  void on(const MemoryEvent& e);
  void on(const SynchronizationEvent& e);
  void on(const PhaseEvent& e);
  void on(const PhaseEndEvent& e);
  void on(const RecordsEvent& e);
  void on(const LaneLogsEvent& e);
  void on(const CountersEvent& e);
  void on(const ProfileEvent& e);
  void on(const StatEvent& e);
  void on(const OpenChunksEvent&) {}  // the drain's own
  void on(const DetachChunksEvent&) {}
  void on(const SettleEvent& e);

  std::uint64_t recentLaunch(std::uint32_t key) const;
  Grids* gridsOf(std::int32_t device);
  void route(Grids* grids, const Slot* slots, std::size_t count);
  void relieve(std::int32_t device, Grids* grids);
  std::optional<std::uint64_t> launchOfSingles(const Grids* grids, std::uint32_t key) const;
  std::size_t routeSingles(Grids* grids, std::uint32_t key, const Slot* slots, std::size_t count);
  std::size_t routeMixed(Grids* grids, std::uint32_t key, const Slot* slots, std::size_t count);
  void announce(Grids& grids, std::uint32_t key, const Slot& record);
  void routeGrid(Grids& grids, std::uint32_t key, const Slot* slots, std::size_t count);
  void releaseMatches(Grids& grids);
  void writeTime(const std::optional<LaunchTimes::Interval>& time);
  void releaseTimes(Grids& grids);
  void releaseCounters(Grids& grids);
  void releaseRunCounters(Grids& grids);
  void guess(Grids& grids);
  /// As a launch's number in profile mode: of launches whose sums the device could not tell apart.
  static constexpr std::uint64_t mergedLaunches = ~std::uint64_t{0};
  void adoptLibraryKernels(Grids& grids);
  std::uint64_t leftOutOf(const Grids& grids, std::uint32_t key) const;
  void adoptSilent(Grids& grids);
  void giveUp(std::int32_t device, Grids& grids, bool last = false);
  void select(std::uint64_t launchId, std::string_view kernel, std::int64_t beginNs, bool isVariable = false);
  void decide(std::uint64_t launchId, std::string_view kernel);
  void hold(std::uint64_t launchId, const Slot* slots, std::size_t count);
  void nameLeftOut(std::uint64_t launchId, const Slot* slots, std::size_t count);
  bool mayBeInstrumented(std::string_view kernelBase) const;
  void write(std::uint64_t launchId, const Slot* slots, std::size_t count);
  std::size_t writeSpecial(std::uint64_t launchId, const Slot* slots, std::size_t at, std::size_t count);
  void writeGrid(Grids& grids, std::uint32_t key, std::uint64_t launchId, const Slot* slots,
                 std::size_t count);
  std::uint64_t newRun(Grids& grids, std::uint32_t key, std::uint32_t run, std::uint64_t launchId);
  void beginNode(Grids& grids, const Match& match);
  void addRun(std::uint64_t launchId, const CuiLaunch& launch);
  bool adoptAgain(Grids& grids, std::uint32_t key, const LaunchShape& entry);
  void adoptNodes(Grids& grids);
  std::optional<std::uint64_t> profileLaunch(Grids& grids, std::uint32_t key);
  void releaseProfile(Grids& grids, bool last);
  void writeTotals(std::uint64_t launchId, const db::AccessTotals& totals);
  void writeCounter(std::uint64_t launchId, const CuiCounter& counter);
  bool isRepeated(std::uint64_t launchId, const Slot& record);
  void stat(const std::string& name, const std::string& severity, std::int64_t value, std::uint64_t launchId,
            const std::string& detail);

  RecordSink& sink_;
  const UnitRegistry& units_;
  std::function<std::uint64_t()> newLaunchId_;
  const std::uint64_t holdBytes_;
  const Selection selection_;
  const std::int64_t untilNs_;
  /// A launch whose kernel a variable holds, of which some are recorded: its name, which the entry says,
  /// decides.
  struct Undecided {
    std::string_view variable;
    std::vector<Slot> held;
  };
  std::unordered_map<std::uint64_t, Undecided> undecided_;
  std::unordered_set<std::uint64_t> leftOut_;   ///< launches that are not recorded
  std::unordered_set<std::uint64_t> misnamed_;  ///< of these, until the sink knows their kernel's name
  std::uint64_t selected_ = 0;
  std::set<std::string, std::less<>> notSelected_;  ///< kernels of launches that are not, the first few
  std::uint64_t heldBytes_ = 0;
  std::map<std::int32_t, Grids> devices_;
  std::unordered_map<std::uint64_t, CuiLaunch> begun_;       ///< between launch begin and end
  std::unordered_map<std::uint64_t, std::int32_t> running_;  ///< launch id to device, until timed
  std::uint64_t lastLaunchId_ = 0;
  std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>> sharedSeen_;
  std::map<std::uint64_t, std::uint64_t> unnamed_;  ///< live allocations of no unit: address to bytes
  std::vector<Slot> expanded_;                      ///< used while writing
  std::map<std::string, std::int64_t> losses_;
};

}  // namespace cui::hostlib
