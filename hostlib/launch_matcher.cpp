#include "hostlib/launch_matcher.h"

#include <algorithm>
#include <utility>

namespace cui::hostlib {
namespace {
constexpr std::size_t maxRecent = 1u << 12;
constexpr std::size_t maxRemembered = 1u << 18;  ///< matched grids whose late records still find their launch
}  // namespace

void LaunchMatcher::setBase(std::uint64_t nextGrid) {
  base_ = nextGrid;
  haveBase_ = true;
  frontier_ = nextGrid - 1;
  addRecent(frontier_, 0);
}

/// Extends a record's 32 bits; a device does not have 2^32 grids in flight.
std::uint64_t LaunchMatcher::gridOf(std::uint32_t key) const {
  return base_ + (key - static_cast<std::uint32_t>(base_));
}

void LaunchMatcher::launched(std::uint64_t launchId, LaunchShape shape, std::uint64_t stream,
                             std::int64_t beginNs) {
  launches_[launchId] = Launch{std::move(shape), stream, beginNs, false};
  std::set<std::uint64_t>& queue = streams_[stream];
  queue.insert(launchId);
  // Behind others it makes nothing certain.
  if (*queue.begin() == launchId || launches_.begin()->first == launchId) resolve();
}

void LaunchMatcher::captured(std::uint64_t launchId, LaunchShape shape) {
  nodeShapes_.insert(shape);
  captured_[launchId] = Launch{std::move(shape), 0, 0, false};
}

void LaunchMatcher::repeats(std::uint32_t key) {
  if (byKey_.count(key) == 0) entries_.makeNode(gridOf(key));
}

void LaunchMatcher::finished(std::uint64_t launchId) {
  if (const auto found = launches_.find(launchId); found != launches_.end()) found->second.finished = true;
}

bool LaunchMatcher::expects(std::uint32_t key, const LaunchShape& entry) const {
  return std::any_of(launches_.begin(), launches_.end(),
                     [&](const auto& item) { return canBe(item.second, gridOf(key), entry); });
}

LaunchMatcher::Fit LaunchMatcher::fitOf(const Launch& launch, std::uint64_t grid,
                                        const LaunchShape& entry) const {
  if (!fits(launch.shape, entry)) return Fit::no;
  if (times_ == nullptr || launch.beginNs == 0 || nodeShapes_.empty()) return Fit::yes;
  const bool mayBeNode = std::any_of(nodeShapes_.begin(), nodeShapes_.end(),
                                     [&](const LaunchShape& node) { return fits(node, entry); });
  if (!mayBeNode) return Fit::yes;
  switch (times_->beganBefore(static_cast<std::uint32_t>(grid), launch.beginNs)) {
    case LaunchTimes::Order::before:
      return Fit::no;
    case LaunchTimes::Order::perhapsBefore:
      return Fit::unclear;
    default:
      return Fit::yes;
  }
}

void LaunchMatcher::entered(std::uint32_t key, LaunchShape shape) {
  if (byKey_.count(key) != 0) return;  // a graph's node, again
  entries_.add(gridOf(key), std::move(shape));
  resolve();
}

std::optional<std::uint64_t> LaunchMatcher::capturedLaunch(const LaunchShape& entry) const {
  for (const auto& [id, launch] : captured_)
    if (fits(launch.shape, entry)) return id;
  return std::nullopt;
}

/// Began before all launches that it fits, and no captured one fits either: another instance of a graph's
/// node.
bool LaunchMatcher::beganTooEarly(std::uint64_t grid, const LaunchShape& entry) const {
  if (nodeShapes_.empty() || capturedLaunch(entry)) return false;
  bool any = false;
  for (const auto& [stream, queue] : streams_) {
    const Launch& launch = launches_.at(*queue.begin());
    if (canBe(launch, grid, entry)) return false;
    any |= fits(launch.shape, entry);
  }
  return any;
}

/// Of a grid that is not known to be a graph's: only the first unmatched launch of a stream can have started.
std::optional<std::uint64_t> LaunchMatcher::onlyLaunch(std::uint64_t grid, const LaunchShape& entry) const {
  std::optional<std::uint64_t> only;
  for (const auto& [stream, queue] : streams_) {
    const Fit fit = fitOf(launches_.at(*queue.begin()), grid, entry);
    if (fit == Fit::no) continue;
    if (only || fit == Fit::unclear) return std::nullopt;
    only = *queue.begin();
  }
  return only ? only : capturedLaunch(entry);
}

/// The first grid whose launch is certain.
std::optional<LaunchMatcher::Certain> LaunchMatcher::firstCertain() const {
  if (entries_.empty() || (launches_.empty() && captured_.empty())) return std::nullopt;
  std::optional<Certain> first;
  const auto take = [&](std::uint64_t grid, std::optional<std::uint64_t> launchId) {
    if (launchId) first = Certain{grid, *launchId};
  };
  // Every lower number is taken: it is the first launch that is left.
  if (const auto next = entries_.all().find(frontier_ + 1);
      haveBase_ && !launches_.empty() && next != entries_.all().end() && !entries_.isNode(next->first) &&
      fitOf(launches_.begin()->second, next->first, next->second) == Fit::yes)
    take(next->first, launches_.begin()->first);
  // What a grid can be otherwise is its shape's question, and the first of each asks it for all.
  for (const auto& [shape, grids] : entries_.nodes())
    if (!first || *grids.begin() < first->grid) take(*grids.begin(), capturedLaunch(shape));
  for (const auto& [shape, grids] : entries_.others()) {
    auto grid = grids.begin();
    while (grid != grids.end() && (!first || *grid < first->grid) && beganTooEarly(*grid, shape)) ++grid;
    if (grid != grids.end() && (!first || *grid < first->grid)) take(*grid, onlyLaunch(*grid, shape));
  }
  return first;
}

void LaunchMatcher::resolve() {
  while (const auto certain = firstCertain()) match(certain->grid, certain->launchId);
}

void LaunchMatcher::match(std::uint64_t grid, std::uint64_t launchId) {
  remember(grid, launchId, entries_.remove(grid));
  if (captured_.erase(launchId) != 0) return;
  addRecent(grid, launchId);
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
  queue->second.erase(launchId);
  if (queue->second.empty()) streams_.erase(queue);
  launches_.erase(found);
  // Everything before the first unmatched launch is accounted for.
  while (!ahead_.empty() && (launches_.empty() || ahead_.begin()->first < launches_.begin()->first)) {
    frontier_ = std::max(frontier_, ahead_.begin()->second);
    ahead_.erase(ahead_.begin());
  }
}

std::optional<std::uint64_t> LaunchMatcher::firstGridOf(const Launch& launch, std::uint64_t from) const {
  auto grid = entries_.first(launch.shape, from);
  while (grid && !canBe(launch, *grid, entries_.all().at(*grid)))
    grid = entries_.first(launch.shape, *grid + 1);
  return grid;
}

void LaunchMatcher::settle() {
  // Numbers grow in launch order, and every finished launch before the first unfinished one has entered.
  std::uint64_t from = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // grid, launch
  std::vector<std::uint64_t> silent;                           // finished, but no entry: not instrumented
  for (const auto& [id, launch] : launches_) {
    if (!launch.finished) break;
    const auto grid = firstGridOf(launch, from);
    if (!grid) {
      silent.push_back(id);
      continue;
    }
    pairs.emplace_back(*grid, id);
    from = *grid + 1;
  }
  for (const auto& [grid, id] : pairs) match(grid, id);
  for (const std::uint64_t id : silent) remove(id);
  resolve();
}

void LaunchMatcher::guess() {
  const auto left = entries_.all();
  std::map<LaunchShape, std::uint64_t> looked;  // the launches up to this one cannot be meant, or are taken
  for (const auto& [grid, shape] : left) {
    if (entries_.isNode(grid)) continue;
    std::uint64_t& last = looked[shape];
    const auto launch = std::find_if(launches_.upper_bound(last), launches_.end(),
                                     [&](const auto& item) { return canBe(item.second, grid, shape); });
    // One that began too early for all of them says nothing of the grids behind it.
    if (launch != launches_.end())
      last = launch->first;
    else if (nodeShapes_.empty())
      last = ~std::uint64_t{0};
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

LaunchMatcher::Neighbours LaunchMatcher::neighbours(std::uint32_t key) const {
  const std::uint64_t grid = gridOf(key);
  std::uint64_t lower = 0, higher = ~std::uint64_t{0};
  Neighbours neighbours;
  for (const auto& [otherKey, launchId] : byKey_) {
    const std::uint64_t other = gridOf(otherKey);
    if (other < grid && other >= lower) {
      lower = other;
      neighbours.before = launchId;
    } else if (other > grid && other <= higher) {
      higher = other;
      neighbours.after = launchId;
    }
  }
  return neighbours;
}

std::vector<Match> LaunchMatcher::takeMatches() {
  return std::exchange(matches_, {});
}

void LaunchMatcher::addRecent(std::uint64_t grid, std::uint64_t launchId) {
  recent_.emplace_hint(recent_.end(), grid, launchId);
  if (recent_.size() > maxRecent) recent_.erase(recent_.begin());
}

void LaunchMatcher::adoptInOrder(std::uint32_t key, std::uint64_t launchId) {
  adopt(key, launchId);
  addRecent(gridOf(key), launchId);
}

void LaunchMatcher::adopt(std::uint32_t key, std::uint64_t launchId) {
  entries_.remove(gridOf(key));
  remember(gridOf(key), launchId, {});
}

}  // namespace cui::hostlib
