// What the router does with a graph's kernels, which run again and again under one number (graph_runs.h).
#include "hostlib/router.h"

namespace cui::hostlib {

void Router::writeGrid(Grids& grids, std::uint32_t key, std::uint64_t launchId, const Slot* slots,
                       std::size_t count) {
  if (!grids.runs.isRepeated(key) || leftOut_.count(launchId) != 0) return write(launchId, slots, count);
  grids.runs.split(
      key, launchId, slots, count, [&] { return newRun(grids, launchId); },
      [this](std::uint64_t run, const Slot* part, std::size_t size) { write(run, part, size); });
}

/// A launch for one more run of the graph's kernel that `launchId` is the first of.
std::uint64_t Router::newRun(const Grids& grids, std::uint64_t launchId) {
  const std::uint64_t id = newLaunchId_();
  if (const auto captured = grids.captured.find(launchId); captured != grids.captured.end()) {
    // Its call was the captured one, so what was allocated then is where its accesses are looked for.
    const CuiLaunch& launch = captured->second;
    sink_.addLaunch(id, launch, true);
    sink_.endLaunch(id, launch.hostBeginNs, 0, "");
  } else if (const auto adopted = grids.adopted.find(launchId); adopted != grids.adopted.end()) {
    const auto& [shape, device] = adopted->second;
    sink_.addUnannouncedLaunch(id, shape.kernel, shape.blocks, shape.threads, device);
  } else {  // taken for another launch's grid before it ran again
    sink_.addUnannouncedLaunch(id, "", 0, 0, 0);
    stat("launch_not_announced", "info", 1, id,
         "a graph's kernel that was taken for another launch at first");
  }
  stat("graph_runs", "info", 1, 0,
       "later runs of graphs' kernels: launches of their own, without times on the GPU");
  return id;
}

/// Once no more records come.
void Router::releaseRunCounters(Grids& grids) {
  grids.runs.takeCounts(
      [this](std::uint64_t launchId, const CuiCounter& counter) { writeCounter(launchId, counter); });
}

}  // namespace cui::hostlib
