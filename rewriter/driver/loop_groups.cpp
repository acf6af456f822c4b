#include "driver/loop_groups.h"

#include <algorithm>

#include "cuinstrument/format/record.h"
#include "edit/token_index.h"

namespace cui::driver {

using constructs::AccessFound;
using constructs::Span;

void addNew(std::vector<std::string>& all, const std::vector<std::string>& more) {
  for (const std::string& one : more)
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
}

void join(std::optional<constructs::RowSeen>& row, const std::optional<constructs::RowSeen>& other) {
  if (row && (!other || row->corners != other->corners || row->guard != other->guard ||
              row->inLoop() != other->inLoop()))
    row.reset();
  if (row) addNew(row->declarations, other->declarations);
}

std::string lineOf(const Span& span, const constructs::Sources& sources) {
  return edit::onOneLine(sources.file(span.file).text.substr(span.begin, span.end - span.begin).str());
}

void LoopGroup::sort() {
  std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
    return std::tie(a.order, a.span) < std::tie(b.order, b.span);
  });
}

LoopGroups::LoopGroups(std::vector<AccessFound>& accesses, const constructs::Sources& sources) {
  for (const AccessFound& access : accesses) {
    if (!access.first.loop) continue;
    LoopGroup& group = groups_.try_emplace(access.first.loop->span).first->second;
    const auto& alike = access.first.alike;
    if (group.accesses++ == 0) {
      group.seen = *access.first.loop;
      if (alike) group.alike = alike->outer;
      group.row = access.first.loopRow;
    } else {
      join(group.row, access.first.loopRow);
    }
    if (!alike || group.alike != alike->outer) group.alike.reset();
    addNew(group.seen.locals, access.first.loop->locals);
    group.seen.fixed &= access.first.loop->fixed;
  }
  // There is no code for more, nor for loops that leave nothing of themselves.
  for (auto& [span, group] : groups_)
    if (group.accesses > 3 || group.seen.fixed) group.row.reset();
  std::multimap<Span, const AccessFound*> byPlace;
  for (const AccessFound& access : accesses) byPlace.emplace(access.first.range.use, &access);
  std::erase_if(groups_, [&](const auto& one) {
    const auto& [span, group] = one;
    if (group.accesses > format::maxLoopAccesses) return true;
    const auto first = byPlace.lower_bound(Span{span.file, span.begin, 0});
    const auto last = byPlace.lower_bound(Span{span.file, span.end, 0});
    return std::any_of(first, last, [&, &span = span](const auto& placed) {
      const auto& [place, access] = placed;
      if (place.end > span.end) return false;
      return !access->first.loop || access->first.loop->span != span ||
             lineOf(access->first.range.span, sources).empty();
    });
  });
  for (AccessFound& access : accesses)
    if (access.first.loop && groups_.count(access.first.loop->span) == 0) access.first.loop.reset();
}

LoopGroup* LoopGroups::find(const AccessFound& access) {
  if (!access.first.loop) return nullptr;
  const auto found = groups_.find(access.first.loop->span);
  return found == groups_.end() ? nullptr : &found->second;
}

}  // namespace cui::driver
