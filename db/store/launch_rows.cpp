// See launch_rows.h.
#include "db/store/launch_rows.h"

#include <iterator>
#include <utility>

namespace cui::db {

void LaunchRows::add(LaunchValues launch) {
  if (waiting_.size() >= most) write(most / 2);
  const std::uint64_t id = launch.launchId;
  waiting_.insert_or_assign(waiting_.end(), id, std::move(launch));
}

LaunchValues* LaunchRows::find(std::uint64_t launchId) {
  const auto found = waiting_.find(launchId);
  return found == waiting_.end() ? nullptr : &found->second;
}

LaunchChange& LaunchRows::change(std::uint64_t launchId) {
  LaunchChange& change = rows_.add(1).changes.emplace_back();
  change.launchId = launchId;
  return change;
}

void LaunchRows::end(std::uint64_t launchId, std::int64_t hostNs, int error, std::string_view errorName) {
  LaunchValues* const launch = find(launchId);
  (launch ? launch->end : change(launchId).end) = LaunchValues::End{hostNs, error, std::string(errorName)};
}

void LaunchRows::time(std::uint64_t launchId, std::int64_t beginNs, std::int64_t endNs) {
  LaunchValues* const launch = find(launchId);
  (launch ? launch->onDevice : change(launchId).onDevice) = LaunchValues::Interval{beginNs, endNs};
}

void LaunchRows::enter(std::uint64_t launchId, const KernelInfo& kernel) {
  LaunchValues* const launch = find(launchId);
  if (launch == nullptr) {
    LaunchChange& row = change(launchId);
    row.enteredFunction = kernel.functionId;
    row.takesName = byVariable_.erase(launchId) > 0;
    return;
  }
  const bool isAnother = launch->functionId != 0 && launch->functionId != kernel.functionId;
  if (launch->byVariable || isAnother) launch->kernel = kernel.name;
  launch->entered = launch->instrumented = true;
  launch->functionId = kernel.functionId;
}

std::uint64_t LaunchRows::dynamicSharedBytes(std::uint64_t launchId) const {
  const auto found = waiting_.find(launchId);
  return found == waiting_.end() ? 0 : found->second.dynamicSharedBytes;
}

void LaunchRows::handOnComplete() {
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    const LaunchValues& launch = at->second;
    at = launch.end && launch.onDevice && launch.entered ? handOn(at) : std::next(at);
  }
}

void LaunchRows::write(std::size_t left) {
  while (waiting_.size() > left) handOn(waiting_.begin());
}

LaunchRows::Waiting::iterator LaunchRows::handOn(Waiting::iterator launch) {
  if (launch->second.byVariable && !launch->second.entered) byVariable_.insert(launch->first);
  rows_.add(1).launches.push_back(std::move(launch->second));
  return waiting_.erase(launch);
}

}  // namespace cui::db
