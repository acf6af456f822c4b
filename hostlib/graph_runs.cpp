#include "hostlib/graph_runs.h"

#include <bit>

#include "hostlib/device_forms.h"
#include "hostlib/loops.h"

namespace cui::hostlib {
namespace {

using format::RecordType;

/// The lane of the grid whose records are in order with this one.
std::uint64_t laneOf(const Slot& record) {
  // A shared variable is told by lane 0 of the first block's first warp.
  if (format::typeOf(flagsOf(record)) == RecordType::sharedVariable) return 0;
  return std::uint64_t{blockOf(record)} << 10 | warpOf(record) << 5 |
         static_cast<unsigned>(std::countr_zero(lanesOfAccess(record))) % format::lanesPerWarp;
}

}  // namespace

std::uint32_t GraphRuns::laterRun(const Slot& record) {
  const bool tells = isProgress(record) || format::typeOf(flagsOf(record)) == RecordType::kernelEntry;
  return tells ? numberOf(record) : 0;
}

std::uint32_t GraphRuns::runOf(Grid& grid, const Slot& record) {
  if (format::typeOf(flagsOf(record)) == RecordType::kernelEntry) return numberOf(record);
  const std::uint64_t lane = laneOf(record);
  if (isProgress(record)) return grid.lanes[lane] = numberOf(record);
  const auto found = grid.lanes.find(lane);
  return found == grid.lanes.end() ? 0 : found->second;
}

void GraphRuns::split(std::uint32_t key, std::uint64_t firstLaunch, const Slot* slots, std::size_t count,
                      const std::function<std::uint64_t(std::uint32_t run)>& newLaunch, const Write& write) {
  Grid& grid = grids_[key];
  grid.launches[0] = firstLaunch;
  const auto launchOf = [&](std::uint32_t run) {
    const auto [launch, fresh] = grid.launches.try_emplace(run, 0);
    if (fresh) launch->second = newLaunch(run);
    return launch->second;
  };
  std::size_t begin = 0;
  std::uint32_t run = 0;  // of what has not been written
  for (std::size_t i = 0; i < count; i += slotsOf(slots[i])) {
    const std::uint32_t next = runOf(grid, slots[i]);
    if (next != run && i != begin) {
      write(launchOf(run), slots + begin, i - begin);
      begin = i;
    }
    run = next;
    if (run == 0) continue;
    if (isLoop(slots[i]))
      for (std::size_t access = i + 1; access <= i + payloadOf(slots[i]) && access < count; ++access)
        grid.written[{run, siteOf(slots[access])}].add(timesOf(slots[i]), format::lanesPerWarp);
    if (format::typeOf(flagsOf(slots[i])) == RecordType::access)
      grid.written[{run, siteOf(slots[i])}].add(
          1, static_cast<std::uint32_t>(std::popcount(lanesOfAccess(slots[i]))));
  }
  if (begin != count) write(launchOf(run), slots + begin, count - begin);
}

void GraphRuns::count(const CuiCounter& counter) {
  Sums& sums = grids_[static_cast<std::uint32_t>(counter.launchKey)].counted[counter.site];
  sums.requests += counter.requests;
  sums.threadAccesses += counter.threadAccesses;
}

void GraphRuns::takeCounts(
    const std::function<void(std::uint64_t launchId, const CuiCounter& counter)>& take) {
  for (auto& [key, grid] : grids_) {
    const auto tell = [&](std::uint32_t run, std::uint32_t site, const Sums& sums) {
      if (const auto launch = grid.launches.find(run); launch != grid.launches.end())
        take(launch->second, CuiCounter{key, site, sums.requests, sums.threadAccesses});
    };
    for (const auto& [place, sums] : grid.written) {
      tell(place.first, place.second, sums);
      Sums& rest = grid.counted[place.second];
      rest.requests -= sums.requests;  // of what was counted before the second run, the first has more
      rest.threadAccesses -= sums.threadAccesses;
    }
    for (const auto& [site, sums] : grid.counted)
      if (sums.requests != 0 || sums.threadAccesses != 0) tell(0, site, sums);
    grid.written.clear();
    grid.counted.clear();
  }
}

}  // namespace cui::hostlib
