#include "driver/runs.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace cui::driver {
namespace {

using constructs::AccessFound;
using constructs::FileIndex;
using constructs::LoopNumbers;
using constructs::RowSeen;
using constructs::Span;

/// One call records so many.
constexpr std::size_t mostTogether = 3;

/// They are accounted for by themselves: in front of a loop, by rows of the grid or by one block for all.
bool haveOwnForm(const std::vector<AccessFound*>& accesses, LoopGroups& loops) {
  std::optional<RowSeen> row = accesses.front()->first.row;
  std::optional<LoopNumbers> alike = accesses.front()->first.alike;
  for (AccessFound* one : accesses) {
    if (loops.find(*one) || loops.findPart(*one)) return true;
    join(row, one->first.row);
    if (alike != one->first.alike) alike.reset();
  }
  return row || alike;
}

bool canBeInFrontOf(const Span& whole, const AccessFound& access) {
  const std::vector<Span>& before = access.first.before;
  return std::find(before.begin(), before.end(), whole) != before.end();
}

}  // namespace

std::vector<Run> runsOf(const Members& members, const std::vector<AccessFound>& accesses, LoopGroups& loops) {
  // Where something is recorded at its own place.
  std::set<std::pair<FileIndex, unsigned>> inPlace;
  for (const AccessFound& found : accesses)
    if (!found.first.whole && found.first.site.reason.empty())
      for (const auto& [use, site] : found.uses) inPlace.emplace(use.place.file, use.place.begin);
  const auto isAnyIn = [&inPlace](const Span& from, const Span& to) {
    const auto next = inPlace.lower_bound({from.file, from.begin});
    return next != inPlace.end() && *next < std::pair(to.file, to.begin);
  };
  std::vector<Run> runs;
  std::size_t count = mostTogether;  // of the last run: nothing joins it
  for (const auto& [whole, group] : members) {
    if (group.empty()) continue;
    const bool isPlain = !haveOwnForm(group, loops);
    const bool joins = isPlain && count + group.size() <= mostTogether &&
                       std::all_of(group.begin(), group.end(),
                                   [&](const AccessFound* one) {
                                     return canBeInFrontOf(runs.back().front().whole, *one);
                                   }) &&
                       !isAnyIn(runs.back().front().whole, whole);
    if (!joins) {
      runs.emplace_back();
      count = 0;
    }
    runs.back().push_back({whole, group});
    count = isPlain ? count + group.size() : mostTogether;
  }
  return runs;
}

}  // namespace cui::driver
