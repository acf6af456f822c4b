#include "hostlib/library_launches.h"

#include <algorithm>
#include <iterator>

namespace cui::hostlib {
namespace {
constexpr std::size_t mostSilent = 1u
                                   << 16;  ///< the oldest are forgotten: their records have come long since
}

void LibraryLaunches::addAnnouncing(std::uint64_t launchId, LaunchShape shape) {
  announcing_.emplace_back(launchId, std::move(shape));
}

void LibraryLaunches::addSilent(std::uint64_t launchId, std::uint32_t blocks, std::uint32_t threads,
                                bool chosen) {
  silent_[launchId] = {blocks, threads, chosen};
  if (silent_.size() > mostSilent) silent_.erase(silent_.begin());
}

bool LibraryLaunches::expects(const LaunchShape& entry) const {
  return std::any_of(announcing_.begin(), announcing_.end(),
                     [&](const auto& launch) { return hostlib::fits(launch.second, entry); });
}

std::uint64_t LibraryLaunches::take(const LaunchShape& entry) {
  const auto found = std::find_if(announcing_.begin(), announcing_.end(),
                                  [&](const auto& launch) { return hostlib::fits(launch.second, entry); });
  if (found == announcing_.end()) return 0;
  const std::uint64_t id = found->first;
  announcing_.erase(found);
  return id;
}

bool LibraryLaunches::fits(const Extents& launch, const Grid& grid) {
  constexpr std::uint32_t lanes = 32;
  return launch.blocks != 0 && grid.blocks <= launch.blocks &&
         grid.warps <= (launch.threads + lanes - 1) / lanes;
}

/// Of grids that have the same known ones before and behind them; `after` is the one behind.
std::vector<LibraryLaunches::Found> LibraryLaunches::between(const std::vector<Grid>& grids,
                                                             Known::const_iterator after,
                                                             const Known& known) const {
  const bool isFirst = after == known.begin(), isLast = after == known.end();
  const auto begin = isFirst ? silent_.begin() : silent_.upper_bound(std::prev(after)->second);
  const auto end = isLast ? silent_.end() : silent_.lower_bound(after->second);
  // What was in front is forgotten, and with it how many launches there were; or ids are not in order.
  if (!isLast && (isFirst || after->second < std::prev(after)->second)) return {};
  const std::vector<Silent::value_type> launches(begin, end);
  // By its number: grid `first` is that of the first of these launches.
  const auto countedFrom = [&](std::uint64_t first, bool certain) {
    std::vector<Found> found;
    for (const Grid& grid : grids) {
      const std::uint64_t index = grid.number - first;
      if (index >= launches.size() || !fits(launches[index].second, grid)) return std::vector<Found>();
      found.push_back({grid.number, launches[index].first, launches[index].second.chosen, certain});
    }
    return found;
  };
  std::vector<Found> found;
  if (!isFirst) found = countedFrom(std::prev(after)->first + 1, true);
  if (found.empty() && !isLast) found = countedFrom(after->first - launches.size(), true);
  // Something else takes numbers, too: in front of all of them, or anywhere.
  constexpr std::uint64_t mostInFront = 8;
  for (std::uint64_t i = 1; i <= mostInFront && found.empty() && !isFirst; ++i)
    found = countedFrom(std::prev(after)->first + 1 + i, false);
  if (!found.empty()) return found;
  auto next = launches.begin();
  for (const Grid& grid : grids) {
    const auto launch =
        std::find_if(next, launches.end(), [&](const auto& item) { return fits(item.second, grid); });
    if (launch == launches.end()) continue;
    found.push_back({grid.number, launch->first, launch->second.chosen, false});
    next = launch + 1;
  }
  return found;
}

std::vector<LibraryLaunches::Found> LibraryLaunches::take(const std::vector<Grid>& grids,
                                                          const Known& known) {
  std::vector<Found> all;
  for (auto grid = grids.begin(); grid != grids.end();) {
    const auto after = known.upper_bound(grid->number);
    const auto last = std::find_if(grid, grids.end(), [&](const Grid& other) {
      return after != known.end() && other.number > after->first;
    });
    const std::vector<Found> found = between({grid, last}, after, known);
    all.insert(all.end(), found.begin(), found.end());
    grid = last;
  }
  for (const Found& one : all) silent_.erase(one.launchId);
  return all;
}

}  // namespace cui::hostlib
