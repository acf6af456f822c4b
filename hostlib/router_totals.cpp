// What the router does with totals: the device's own counts, and the sums of profile mode. They find their
// launch as records do, and wait for it until it is known.
#include "hostlib/profile.h"
#include "hostlib/router.h"

namespace cui::hostlib {

void Router::on(const CountersEvent& e) {
  const auto found = devices_.find(e.device);
  if (found == devices_.end()) {
    for (const CuiCounter& counter : e.counters) writeCounter(counter.launchKey, counter);
    return;
  }
  Grids& grids = found->second;
  grids.counters.insert(grids.counters.end(), e.counters.begin(), e.counters.end());
  releaseCounters(grids);
}

void Router::on(const ProfileEvent& e) {
  const auto found = devices_.find(e.device);
  if (found == devices_.end()) return;
  Grids& grids = found->second;
  for (const CuiProfile& profile : e.profiles) {
    const auto [sums, isNew] = grids.profile.try_emplace({profile.launchKey, profile.site}, profile);
    if (!isNew) addProfile(sums->second, profile);
  }
  if (e.profiles.empty()) releaseProfile(grids, false);
}

/// Writes the sums of the launches that are known; all of them with `last`.
void Router::releaseProfile(Grids& grids, bool last) {
  for (auto at = grids.profile.begin(); at != grids.profile.end();) {
    const std::uint64_t key = at->first.first;
    const bool merged = key == mergedLaunches;
    const auto launch = merged ? std::nullopt : profileLaunch(grids, static_cast<std::uint32_t>(key));
    if (!launch && !merged && !last) {
      ++at;
      continue;
    }
    const db::AccessTotals totals = totalsOf(at->second);
    writeTotals(launch.value_or(0), totals);
    if (!launch)
      stat("launches_merged", "info", static_cast<std::int64_t>(totals.requests), 0,
           "requests of launches that the profile could not tell apart: their totals are those of launch 0");
    at = grids.profile.erase(at);
  }
}

/// Whose sums those of a grid are: of a graph's kernel the first run since the last that have been written.
std::optional<std::uint64_t> Router::profileLaunch(Grids& grids, std::uint32_t key) {
  const auto first = grids.matcher.find(key);
  const auto found = grids.profileRuns.find(key);
  if (!first || found == grids.profileRuns.end() || leftOut_.count(*first) != 0) return first;
  auto& [launchId, begun] = found->second;
  if (begun > 1)
    stat("runs_merged", "info", begun - 1, 0,
         "runs of a graph's kernel without cudaDeviceSynchronize() in between: their totals are an earlier "
         "run's");
  if (launchId == 0)
    launchId = *first;
  else if (begun != 0)
    launchId = newRun(grids, key, 0, *first);
  begun = 0;
  return launchId;
}

void Router::writeTotals(std::uint64_t launchId, const db::AccessTotals& totals) {
  if (leftOut_.count(launchId) == 0) sink_.addTotals(launchId, totals);
}

void Router::writeCounter(std::uint64_t launchId, const CuiCounter& counter) {
  if (leftOut_.count(launchId) == 0) sink_.addCounter(launchId, counter);
}

void Router::releaseCounters(Grids& grids) {
  std::vector<CuiCounter> left;
  for (const CuiCounter& counter : grids.counters) {
    const auto key = static_cast<std::uint32_t>(counter.launchKey);
    if (grids.runs.isRepeated(key))
      grids.runs.count(counter);
    else if (const auto launch = grids.matcher.find(key))
      writeCounter(*launch, counter);
    else
      left.push_back(counter);
  }
  grids.counters = std::move(left);
}

}  // namespace cui::hostlib
