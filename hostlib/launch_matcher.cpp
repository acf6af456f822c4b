#include "hostlib/launch_matcher.h"

#include <algorithm>
#include <utility>

namespace cui::hostlib {
namespace {
constexpr std::size_t maxRemembered = 1u << 18;  ///< matched grids whose late records still find their launch
}

void LaunchMatcher::setBase(std::uint64_t nextGrid) {
  base_ = nextGrid;
  haveBase_ = true;
  frontier_ = nextGrid - 1;
}

/// Extends a record's 32 bits; a device does not have 2^32 grids in flight.
std::uint64_t LaunchMatcher::gridOf(std::uint32_t key) const {
  return base_ + (key - static_cast<std::uint32_t>(base_));
}

bool LaunchMatcher::fits(const LaunchShape& launch, const LaunchShape& entry) {
  return (launch.kernel.empty() || launch.kernel == entry.kernel) && launch.blocks == entry.blocks &&
         launch.threads == entry.threads;
}

void LaunchMatcher::launched(std::uint64_t launchId, LaunchShape shape, std::uint64_t stream) {
  launches_[launchId] = Launch{std::move(shape), stream, false};
  std::deque<std::uint64_t>& queue = streams_[stream];
  queue.insert(std::upper_bound(queue.begin(), queue.end(), launchId), launchId);
  resolve();
}

void LaunchMatcher::captured(std::uint64_t launchId, LaunchShape shape) {
  captured_[launchId] = Launch{std::move(shape), 0, false};
}

void LaunchMatcher::repeats(std::uint32_t key) {
  if (byKey_.count(key) == 0) nodes_.insert(gridOf(key));
}

void LaunchMatcher::finished(std::uint64_t launchId) {
  if (const auto found = launches_.find(launchId); found != launches_.end()) found->second.finished = true;
}

bool LaunchMatcher::expects(const LaunchShape& entry) const {
  return std::any_of(launches_.begin(), launches_.end(),
                     [&](const auto& item) { return fits(item.second.shape, entry); });
}

void LaunchMatcher::entered(std::uint32_t key, LaunchShape shape) {
  if (byKey_.count(key) != 0) return;  // a graph's node, again
  entries_[gridOf(key)] = std::move(shape);
  resolve();
}

std::optional<std::uint64_t> LaunchMatcher::certainLaunch(std::uint64_t grid,
                                                          const LaunchShape& entry) const {
  const auto capturedOne = [&]() -> std::optional<std::uint64_t> {
    for (const auto& [id, launch] : captured_)
      if (fits(launch.shape, entry)) return id;
    return std::nullopt;
  };
  if (nodes_.count(grid) != 0) return capturedOne();
  // Every lower number is taken: it is the first launch that is left.
  if (haveBase_ && grid == frontier_ + 1 && !launches_.empty() &&
      fits(launches_.begin()->second.shape, entry))
    return launches_.begin()->first;
  // Only the first unmatched launch of a stream can have started.
  std::optional<std::uint64_t> only;
  for (const auto& [stream, queue] : streams_) {
    if (queue.empty() || !fits(launches_.at(queue.front()).shape, entry)) continue;
    if (only) return std::nullopt;
    only = queue.front();
  }
  return only ? only : capturedOne();
}

void LaunchMatcher::resolve() {
  for (bool changed = true; changed;) {
    changed = false;
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (const auto launch = certainLaunch(entry->first, entry->second)) {
        match(entry->first, *launch);
        changed = true;
        break;  // entries_ has changed
      }
    }
  }
}

void LaunchMatcher::match(std::uint64_t grid, std::uint64_t launchId) {
  std::string kernel = std::move(entries_[grid].kernel);
  entries_.erase(grid);
  nodes_.erase(grid);
  remember(grid, launchId, std::move(kernel));
  if (captured_.erase(launchId) != 0) return;
  ahead_[launchId] = grid;
  remove(launchId);
}

void LaunchMatcher::remember(std::uint64_t grid, std::uint64_t launchId, std::string kernel) {
  const auto key = static_cast<std::uint32_t>(grid);
  byKey_[key] = launchId;
  order_.push_back(key);
  if (order_.size() > maxRemembered) {
    byKey_.erase(order_.front());
    order_.pop_front();
  }
  matches_.push_back(Match{key, launchId, std::move(kernel)});
}

void LaunchMatcher::remove(std::uint64_t launchId) {
  const auto found = launches_.find(launchId);
  const auto queue = streams_.find(found->second.stream);
  queue->second.erase(std::find(queue->second.begin(), queue->second.end(), launchId));
  if (queue->second.empty()) streams_.erase(queue);
  launches_.erase(found);
  // Everything before the first unmatched launch is accounted for.
  while (!ahead_.empty() && (launches_.empty() || ahead_.begin()->first < launches_.begin()->first)) {
    frontier_ = std::max(frontier_, ahead_.begin()->second);
    ahead_.erase(ahead_.begin());
  }
}

void LaunchMatcher::settle() {
  // Numbers grow in launch order, and every finished launch before the first unfinished one has entered.
  auto entry = entries_.begin();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // grid, launch
  std::vector<std::uint64_t> silent;                           // finished, but no entry: not instrumented
  for (const auto& [id, launch] : launches_) {
    if (!launch.finished) break;
    auto candidate = entry;
    while (candidate != entries_.end() &&
           (nodes_.count(candidate->first) != 0 || !fits(launch.shape, candidate->second)))
      ++candidate;
    if (candidate == entries_.end()) {
      silent.push_back(id);
      continue;
    }
    pairs.emplace_back(candidate->first, id);
    entry = std::next(candidate);
  }
  for (const auto& [grid, id] : pairs) match(grid, id);
  for (const std::uint64_t id : silent) remove(id);
  resolve();
}

void LaunchMatcher::guess() {
  std::vector<std::pair<std::uint64_t, LaunchShape>> left(entries_.begin(), entries_.end());
  for (const auto& [grid, shape] : left) {
    if (nodes_.count(grid) != 0) continue;
    const auto launch = std::find_if(launches_.begin(), launches_.end(), [&shape = shape](const auto& item) {
      return fits(item.second.shape, shape);
    });
    if (launch == launches_.end()) continue;
    ++guesses_;
    match(grid, launch->first);
  }
}

std::optional<std::uint64_t> LaunchMatcher::find(std::uint32_t key) const {
  const auto found = byKey_.find(key);
  if (found == byKey_.end()) return std::nullopt;
  return found->second;
}

std::vector<Match> LaunchMatcher::takeMatches() {
  return std::exchange(matches_, {});
}

void LaunchMatcher::adopt(std::uint32_t key, std::uint64_t launchId) {
  entries_.erase(gridOf(key));
  nodes_.erase(gridOf(key));
  remember(gridOf(key), launchId, {});
}

}  // namespace cui::hostlib
