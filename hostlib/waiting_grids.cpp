#include "hostlib/waiting_grids.h"

#include <utility>

namespace cui::hostlib {

bool fits(const LaunchShape& launch, const LaunchShape& entry) {
  return (launch.kernel.empty() || launch.kernel == entry.kernel) && launch.blocks == entry.blocks &&
         launch.threads == entry.threads;
}

void WaitingGrids::add(std::uint64_t grid, LaunchShape shape) {
  const auto [found, isNew] = all_.try_emplace(grid);
  if (!isNew) leaveGroup(grid, found->second);
  found->second = std::move(shape);
  groupsOf(grid)[found->second].insert(grid);
}

void WaitingGrids::makeNode(std::uint64_t grid) {
  const auto found = all_.find(grid);
  if (found != all_.end()) leaveGroup(grid, found->second);
  knownNodes_.insert(grid);
  if (found != all_.end()) nodes_[found->second].insert(grid);
}

std::string WaitingGrids::remove(std::uint64_t grid) {
  const auto found = all_.find(grid);
  if (found != all_.end()) leaveGroup(grid, found->second);
  knownNodes_.erase(grid);
  return found == all_.end() ? std::string() : std::move(all_.extract(found).mapped().kernel);
}

void WaitingGrids::leaveGroup(std::uint64_t grid, const LaunchShape& shape) {
  Groups& groups = groupsOf(grid);
  const auto group = groups.find(shape);
  group->second.erase(grid);
  if (group->second.empty()) groups.erase(group);
}

std::optional<std::uint64_t> WaitingGrids::first(const LaunchShape& launch, std::uint64_t from) const {
  const auto firstOf = [from](const std::set<std::uint64_t>& grids) -> std::optional<std::uint64_t> {
    const auto grid = grids.lower_bound(from);
    return grid == grids.end() ? std::nullopt : std::optional(*grid);
  };
  if (!launch.kernel.empty()) {
    const auto group = others_.find(launch);
    return group == others_.end() ? std::nullopt : firstOf(group->second);
  }
  std::optional<std::uint64_t> first;
  for (const auto& [shape, grids] : others_) {
    if (!fits(launch, shape)) continue;
    if (const auto grid = firstOf(grids); grid && (!first || *grid < *first)) first = grid;
  }
  return first;
}

}  // namespace cui::hostlib
