// Which launches there are, and whose a device's grids are: what the router learns from the host, and what it
// does when it learns no more.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "hostlib/router.h"

namespace cui::hostlib {
namespace {

template <class Launch>
LaunchShape shapeOf(const Launch& launch, std::string_view kernel) {
  return LaunchShape{std::string(kernel), launch.grid[0] * launch.grid[1] * launch.grid[2],
                     launch.block[0] * launch.block[1] * launch.block[2]};
}

/// Empty where the launch names a variable.
std::string_view kernelBaseOf(const CuiLaunch& launch) {
  return launch.unit == nullptr ? "" : launch.unit->launches[launch.launchEntry].kernelBase;
}

}  // namespace

void Router::on(const LaunchEvent& e) {
  lastLaunchId_ = e.launchId;
  sink_.addLaunch(e.launchId, e.launch, mayBeInstrumented(kernelBaseOf(e.launch)));
  begun_[e.launchId] = e.launch;
  const std::string_view kernel = e.launch.kernel != nullptr ? withoutTemplateArguments(e.launch.kernel)
                                                             : kernelOf(e.launch.unit, e.launch.launchEntry);
  const bool isVariable = e.launch.kernel == nullptr && namesVariable(e.launch.unit, e.launch.launchEntry);
  const bool asksKernel =
      isVariable && selection_.choosesKernels() && selection_.includesAnyId(e.launchId, 1);
  if (asksKernel && e.launch.hostBeginNs < untilNs_)
    undecided_.try_emplace(e.launchId, Undecided{kernel, {}});
  else
    select(e.launchId, kernel, e.launch.hostBeginNs, isVariable);
}

/// Its kernel has said its name; "": it will not, and the variable's stands for it.
void Router::decide(std::uint64_t launchId, std::string_view kernel) {
  const auto node = undecided_.extract(launchId);
  if (node.empty()) return;
  const Undecided& launch = node.mapped();
  select(launchId, kernel.empty() ? launch.variable : kernel, std::numeric_limits<std::int64_t>::min(),
         kernel.empty());
  if (leftOut_.count(launchId) != 0 && !kernel.empty()) misnamed_.insert(launchId);
  write(launchId, launch.held.data(), launch.held.size());
}

/// CPU backend: records of a launch that nothing is known of before its kernel's entry, which is among the
/// first.
void Router::hold(std::uint64_t launchId, const Slot* slots, std::size_t count) {
  Undecided& launch = undecided_.at(launchId);
  std::string kernel;
  for (std::size_t at = 0; at < count && kernel.empty(); at += slotsOf(slots[at]))
    if (isEntry(slots[at])) kernel = units_.kernelName(siteOf(slots[at]), kernelNumberOf(slots[at]));
  launch.held.insert(launch.held.end(), slots, slots + count);
  if (!kernel.empty() || launch.held.size() * sizeof(Slot) > holdBytes_) decide(launchId, kernel);
}

/// Whether the launch is recorded. `isVariable`: the name is a variable's, as the kernel in it is not known.
void Router::select(std::uint64_t launchId, std::string_view kernel, std::int64_t beginNs, bool isVariable) {
  const bool late = beginNs >= untilNs_;
  if (!late && selection_.includes(kernel, launchId)) {
    ++selected_;
    return;
  }
  leftOut_.insert(launchId);
  if (late)
    return stat("time_limit", "data_loss", 1, 0,
                "launches after CUINSTRUMENT_MAX_TIME_MS: no accesses recorded");
  stat("launches_left_out", "info", 1, 0,
       "not of CUINSTRUMENT_KERNELS or CUINSTRUMENT_LAUNCHES: no accesses recorded");
  constexpr std::size_t mostNames = 8;
  if (selected_ == 0 && notSelected_.size() < mostNames)
    notSelected_.emplace((isVariable ? "one in the variable " : "") + std::string(kernel));
}

std::string Router::nothingSelected() const {
  if (selected_ != 0 || notSelected_.empty()) return "";
  std::string names;
  for (const std::string& kernel : notSelected_) names += (names.empty() ? "" : ", ") + kernel;
  return std::to_string(leftOut_.size()) + " launches (" + names + ")";
}

bool Router::mayBeInstrumented(std::string_view kernelBase) const {
  return kernelBase.empty() || units_.hasKernel(kernelBase);
}

/// The matcher does not hear of it: it must not wait for a kernel that is not instrumented. If it is, its
/// entry finds no announced launch, and this one in the end.
void Router::on(const LibraryLaunchEvent& e) {
  lastLaunchId_ = e.launchId;
  CuiLibraryLaunch launch = e.launch;
  launch.kernel = e.kernel.c_str();
  launch.errorName = e.errorName.c_str();
  sink_.addLibraryLaunch(e.launchId, launch);
  const auto grids = devices_.find(launch.device);
  const std::string_view base = withoutTemplateArguments(e.kernel);
  if (grids == devices_.end() || launch.error != 0) return;
  LaunchShape shape = shapeOf(launch, base);
  if (units_.hasKernel(base))
    return grids->second.libraryLaunches.addAnnouncing(e.launchId, std::move(shape));
  const bool chosen = launch.hostBeginNs < untilNs_ && selection_.includes(base, e.launchId);
  grids->second.libraryLaunches.addSilent(e.launchId, shape.blocks, shape.threads, chosen);
}

void Router::on(const LaunchEndEvent& e) {
  sink_.endLaunch(e.launchId, e.hostEndNs, e.error, e.errorName);
  const auto found = begun_.find(e.launchId);
  if (found == begun_.end()) return;
  const CuiLaunch launch = found->second;
  begun_.erase(found);
  const auto grids = devices_.find(launch.device);
  if (grids == devices_.end() || e.error != 0) return decide(e.launchId, "");
  LaunchShape shape = shapeOf(launch, kernelBaseOf(launch));
  // What sends no entry must not wait for one, nor be taken for what does.
  if (!mayBeInstrumented(shape.kernel) || launch.silent != 0) {
    if (launch.captured == 0) grids->second.libraryLaunches.addSilent(e.launchId, 0, 0);
    return;
  }
  if (launch.captured != 0) {
    grids->second.nodes.captured(e.launchId, launch, shape);
    grids->second.matcher.captured(e.launchId, std::move(shape));
  } else {
    running_[e.launchId] = launch.device;
    grids->second.times.launched(e.launchId, e.hostEndNs);
    grids->second.matcher.launched(e.launchId, std::move(shape), launch.stream, launch.hostBeginNs);
  }
  releaseMatches(grids->second);
}

void Router::on(const LaunchMadeEvent& e) {
  on(e.begun);
  on(e.ended);
}

void Router::on(const LaunchTimeEvent& e) {
  const auto found = running_.find(e.launchId);
  if (found == running_.end()) {  // nor will an entry be taken for its
    sink_.timeLaunch(e.launchId, e.beginNs == CUI_BEGIN_IN_ENTRY ? e.endNs : e.beginNs, e.endNs);
    return;
  }
  Grids& grids = devices_[found->second];
  writeTime(grids.times.ended(e.launchId, e.beginNs, e.endNs));
  grids.matcher.finished(e.launchId);
  running_.erase(found);
}

void Router::writeTime(const std::optional<LaunchTimes::Interval>& time) {
  if (time) sink_.timeLaunch(time->launchId, time->beginNs, time->endNs);
}

/// Once no more entries come.
void Router::releaseTimes(Grids& grids) {
  for (const LaunchTimes::Interval& time : grids.times.takeUntold()) writeTime(time);
}

/// There is no room to wait until it is certain which launches the held grids are.
void Router::guess(Grids& grids) {
  const std::uint64_t guessesBefore = grids.matcher.guesses();
  grids.matcher.settle();
  grids.matcher.guess();
  if (const std::uint64_t guesses = grids.matcher.guesses() - guessesBefore)
    stat("launch_match_guessed", "info", static_cast<std::int64_t>(guesses), 0,
         "kernels of equal name and extents in several streams could not be told apart for certain");
  releaseMatches(grids);
}

/// Grids that have records and no entry, now that all have come which will: kernels of other code that call
/// functions of the program's.
void Router::adoptLibraryKernels(Grids& grids) {
  if (!grids.libraryLaunches.anySilent()) return;
  std::map<std::uint64_t, LibraryLaunches::Grid> silent;
  const auto add = [&](std::uint32_t key) -> LibraryLaunches::Grid* {
    const std::uint64_t number = grids.matcher.gridOf(key);
    if (grids.matcher.find(key) || grids.matcher.unmatchedEntries().count(number) != 0) return nullptr;
    return &(silent[number] = {number, 0, 0});
  };
  for (const auto& [keyAndSite, sums] : grids.profile)
    if (keyAndSite.first != mergedLaunches) add(static_cast<std::uint32_t>(keyAndSite.first));
  for (const auto& [key, slots] : grids.held) {
    LibraryLaunches::Grid* const grid = add(key);
    if (grid == nullptr) continue;
    for (std::size_t i = 0; i < slots.size(); i += slotsOf(slots[i])) {
      grid->blocks = std::max(grid->blocks, blockOf(slots[i]) + 1);
      grid->warps = std::max(grid->warps, warpOf(slots[i]) + 1);
    }
  }
  if (silent.empty()) return;
  std::vector<LibraryLaunches::Grid> inOrder;
  inOrder.reserve(silent.size());
  for (const auto& [number, grid] : silent) inOrder.push_back(grid);
  for (const LibraryLaunches::Found& found : grids.libraryLaunches.take(inOrder, grids.matcher.recent())) {
    if (!found.chosen) leftOut_.insert(found.launchId);
    grids.matcher.adoptInOrder(static_cast<std::uint32_t>(found.grid), found.launchId);
    if (!found.certain)
      stat("launch_match_guessed", "info", 1, found.launchId,
           "a kernel of other code that calls functions of the program's, found by its blocks alone");
  }
}

/// A launch that is left out, if the grid can be no other's; else 0. Recording is switched off while such
/// launches begin: blocks that found it on have records then, and the one that names the kernel may not.
std::uint64_t Router::leftOutOf(const Grids& grids, std::uint32_t key) const {
  if (leftOut_.empty()) return 0;
  const auto [before, after] = grids.matcher.neighbours(key);
  const std::uint64_t first = before.value_or(0) + 1, end = after.value_or(lastLaunchId_ + 1);
  for (std::uint64_t id = first; id < end; ++id)
    if (leftOut_.count(id) == 0) return 0;
  return first < end ? first : 0;
}

/// A device that failed as soon as a kernel began may not have told that. If it is one grid, it is that of
/// the first launch of which nothing was heard: the others never began.
void Router::adoptSilent(Grids& grids) {
  const std::uint64_t id = grids.matcher.firstSilent();
  std::set<std::uint32_t> silent;
  const auto add = [&](std::uint64_t key) {
    if (key != mergedLaunches && !grids.matcher.find(static_cast<std::uint32_t>(key)))
      silent.insert(static_cast<std::uint32_t>(key));
  };
  for (const auto& [key, slots] : grids.held) add(key);
  for (const auto& [keyAndSite, sums] : grids.profile) add(keyAndSite.first);
  std::erase_if(silent, [&](std::uint32_t key) {
    const std::uint64_t leftOut = leftOutOf(grids, key);
    if (leftOut != 0) grids.matcher.adopt(key, leftOut);
    return leftOut != 0;
  });
  if (id == 0 || silent.size() != 1) return;
  grids.matcher.adopt(*silent.begin(), id);
  stat("launch_match_guessed", "info", 1, id,
       "the one grid that did not announce its kernel, taken for the first launch not heard of");
}

/// Nothing more will be learned about the held grids. `last`: nor come from the device.
void Router::giveUp(std::int32_t device, Grids& grids, bool last) {
  guess(grids);
  const auto unmatched = grids.matcher.unmatchedEntries();  // a copy: adopt() changes it
  for (const auto& [grid, shape] : unmatched) {
    std::uint64_t id = grids.libraryLaunches.take(shape);
    if (id == 0 && adoptAgain(grids, static_cast<std::uint32_t>(grid), shape)) continue;
    if (id == 0) {
      lastLaunchId_ = id = newLaunchId_();
      sink_.addUnannouncedLaunch(id, shape.kernel, shape.blocks, shape.threads, device);
      stat("launch_not_announced", "info", 1, id,
           "not made by a <<<>>> the rewriter saw; extents are totals");
    }
    grids.adopted.try_emplace(id, shape, device);
    grids.matcher.adopt(static_cast<std::uint32_t>(grid), id);
  }
  adoptLibraryKernels(grids);
  if (last) adoptSilent(grids);
  releaseMatches(grids);
  for (const auto& [key, slots] : grids.held) {
    write(0, slots.data(), slots.size());
    heldBytes_ -= slots.size() * sizeof(Slot);
    stat("records_without_launch", "data_loss", static_cast<std::int64_t>(slots.size()), 0,
         "slots of grids that did not announce their kernel");
  }
  grids.held.clear();
}

}  // namespace cui::hostlib
