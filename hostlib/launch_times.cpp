#include "hostlib/launch_times.h"

#include <algorithm>

#include "cuinstrument/host/abi.h"

namespace cui::hostlib {
namespace {
constexpr std::uint64_t mostApart =
    50'000;  ///< of the clocks, ns: docs/benchmarks/recording.md has what was seen
}

void LaunchTimes::entered(std::uint32_t key, std::uint64_t began) {
  if (began != 0) entries_[key] = began;
}

LaunchTimes::Order LaunchTimes::beganBefore(std::uint32_t key, std::int64_t hostNs) const {
  const auto entry = entries_.find(key);
  if (entry == entries_.end() || !haveOffset_) return Order::unknown;
  const std::uint64_t then = static_cast<std::uint64_t>(hostNs) - static_cast<std::uint64_t>(offsetNs_);
  const std::uint64_t before = (then - entry->second) & format::kernelBeganMask;
  if (before == 0 || before > format::kernelBeganMask / 2) return Order::after;
  return before > mostApart ? Order::before : Order::perhapsBefore;
}

std::optional<LaunchTimes::Interval> LaunchTimes::matched(std::uint32_t key, std::uint64_t launchId) {
  const auto entry = entries_.extract(key);
  const auto launch = launches_.find(launchId);
  if (entry.empty() || launch == launches_.end()) return std::nullopt;
  launch->second.began = entry.mapped();
  if (!launch->second.ended) return std::nullopt;
  return takeWhole(launch);
}

std::optional<LaunchTimes::Interval> LaunchTimes::ended(std::uint64_t launchId, std::int64_t beginNs,
                                                        std::int64_t endNs) {
  const auto launch = launches_.find(launchId);
  if (beginNs != CUI_BEGIN_IN_ENTRY) {
    if (launch != launches_.end()) launches_.erase(launch);
    return Interval{launchId, beginNs, endNs};
  }
  if (launch == launches_.end()) return Interval{launchId, endNs, endNs};
  launch->second.ended = true;
  launch->second.endNs = endNs;
  if (launch->second.began == 0) return std::nullopt;
  return takeWhole(launch);
}

/// The time with the entry's bits that is nearest to the launch's end, but not behind it: a grid can be taken
/// for another launch's, and clocks differ by a little.
LaunchTimes::Interval LaunchTimes::takeWhole(Launches::iterator launch) {
  const auto [id, known] = *launch;
  launches_.erase(launch);
  const std::uint64_t end = static_cast<std::uint64_t>(known.endNs) - static_cast<std::uint64_t>(offsetNs_);
  const std::uint64_t duration = (end - known.began) & format::kernelBeganMask;
  const bool isBehind = duration > format::kernelBeganMask / 2;
  return {id, isBehind ? known.endNs : known.endNs - static_cast<std::int64_t>(duration), known.endNs};
}

/// Without an entry a launch did not begin before its call, which has returned by the time that it begins,
/// mostly: better a beginning that is a little wrong than no end.
std::vector<LaunchTimes::Interval> LaunchTimes::takeUntold() {
  std::vector<Interval> untold;
  for (const auto& [id, launch] : launches_)
    if (launch.ended) untold.push_back({id, std::min(launch.hostEndNs, launch.endNs), launch.endNs});
  launches_.clear();
  return untold;
}

}  // namespace cui::hostlib
