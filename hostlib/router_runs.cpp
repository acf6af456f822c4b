// What the router does with a graph's kernels, which run again and again under one number (graph_runs.h), and
// under another one in each instance of the graph (graph_nodes.h).
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hostlib/kernel_name.h"
#include "hostlib/router.h"

namespace cui::hostlib {
namespace {

/// A node's entry leaves template arguments out, but where nothing else says the kernel that is its name.
const CuiLaunch& named(GraphNodes::Node& node, const std::string& kernel) {
  if (node.byHand && node.launch.kernel == nullptr) node.launch.kernel = kernelName(kernel.c_str());
  return node.launch;
}

}  // namespace

void Router::on(const GraphNodeEvent& e) {
  const CuiLaunch& launch = e.node.launch;
  const std::string base(launch.kernel != nullptr ? withoutTemplateArguments(launch.kernel) : "");
  const auto found = devices_.find(launch.device);
  if (found == devices_.end() || !mayBeInstrumented(base)) {
    // No entry will say that it runs.
    if (e.node.change == CUI_NODE_ADDED) addRun(e.launchId, launch);
    return;
  }
  Grids& grids = found->second;
  LaunchShape shape = {base, launch.grid[0] * launch.grid[1] * launch.grid[2],
                       launch.block[0] * launch.block[1] * launch.block[2]};
  std::vector<std::uint64_t> forgotten;
  const bool isNew = grids.nodes.made(e.launchId, e.node, shape, forgotten);
  for (const std::uint64_t id : forgotten) grids.matcher.forget(id);
  if (!isNew) return;
  grids.matcher.captured(e.launchId, std::move(shape));
  // Code that runs without the recorder sends no entry.
  if (e.node.change == CUI_NODE_ADDED && launch.kernel != nullptr && !selection_.includes(base, e.launchId)) {
    grids.nodes.find(e.launchId)->hasRow = true;
    addRun(e.launchId, launch);
    select(e.launchId, base, launch.hostBeginNs);
  }
}

/// A node made by hand runs for the first time.
void Router::beginNode(Grids& grids, const Match& match) {
  GraphNodes::Node* const node = grids.nodes.find(match.launchId);
  if (node == nullptr) return;
  grids.profileRuns[match.key].begun = 1;
  if (std::exchange(node->hasRow, true)) return;
  addRun(match.launchId, named(*node, match.kernel));
  select(match.launchId, withoutTemplateArguments(node->launch.kernel), node->launch.hostBeginNs);
}

/// Its call was the captured one, or the one that made the node, so what was allocated then is where its
/// accesses are looked for.
void Router::addRun(std::uint64_t launchId, const CuiLaunch& launch) {
  sink_.addLaunch(launchId, launch,
                  mayBeInstrumented(launch.kernel != nullptr ? withoutTemplateArguments(launch.kernel) : ""));
  sink_.endLaunch(launchId, launch.hostBeginNs, 0, "");
}

/// A grid that is no announced launch's is one of a graph's that was instantiated again, or in another.
bool Router::adoptAgain(Grids& grids, std::uint32_t key, const LaunchShape& entry) {
  const auto original = grids.nodes.again(entry);
  if (!original) return false;
  const bool isLeftOut = undecided_.count(*original) != 0 ? !selection_.includes(entry.kernel, *original)
                                                          : leftOut_.count(*original) != 0;
  const std::uint64_t id = newLaunchId_();
  grids.nodes.addAlias(id, *original);
  if (isLeftOut)
    leftOut_.insert(id);
  else
    addRun(id, named(*grids.nodes.find(id), entry.kernel));
  grids.matcher.adopt(key, id);
  return true;
}

/// The device is idle, and all launches until now have been announced: entries that are left over are
/// graphs'.
void Router::adoptNodes(Grids& grids) {
  if (grids.nodes.empty()) return;
  const auto unmatched = grids.matcher.unmatchedEntries();  // a copy: it changes
  for (const auto& [grid, entry] : unmatched) {
    const auto key = static_cast<std::uint32_t>(grid);
    if (!grids.matcher.expects(key, entry) && !grids.libraryLaunches.expects(entry))
      adoptAgain(grids, key, entry);
  }
}

void Router::writeGrid(Grids& grids, std::uint32_t key, std::uint64_t launchId, const Slot* slots,
                       std::size_t count) {
  if (!grids.runs.isRepeated(key) || leftOut_.count(launchId) != 0) return write(launchId, slots, count);
  grids.runs.split(
      key, launchId, slots, count, [&](std::uint32_t run) { return newRun(grids, key, run, launchId); },
      [this](std::uint64_t run, const Slot* part, std::size_t size) { write(run, part, size); });
}

/// A launch for one more run of the graph's kernel that `launchId` is the first of. `run` 0: nobody counts.
std::uint64_t Router::newRun(Grids& grids, std::uint32_t key, std::uint32_t run, std::uint64_t launchId) {
  const std::uint64_t id = newLaunchId_();
  const auto entry = grids.runShapes.extract({key, run});
  if (GraphNodes::Node* node = grids.nodes.find(launchId)) {
    // With other parameters since, in the same instance.
    if (!entry.empty() && !fits(node->shape, entry.mapped()))
      if (GraphNodes::Node* const now = grids.nodes.changed(*node, entry.mapped())) node = now;
    addRun(id, entry.empty() ? node->launch : named(*node, entry.mapped().kernel));
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
