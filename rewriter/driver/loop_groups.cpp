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

const LoopGroup& LoopGroup::outermost() const {
  const LoopGroup* result = this;
  for (const LoopGroup* loop = around; loop; loop = loop->around)
    if (loop->isWhole()) result = loop;
  return *result;
}

bool LoopGroup::isRecorded() const {
  if (!isWhole()) return false;
  const LoopGroup& all = outermost();
  return &all == this || !(all.seen.alike || all.seen.fixed);
}

void LoopGroup::writeOut(std::size_t begin, std::size_t end, std::size_t depth, std::size_t time,
                         std::vector<std::pair<sites::SiteHandle, std::string>>& all) const {
  while (begin < end) {
    const Member& member = members[begin];
    if (member.inner.size() == depth) {
      all.emplace_back(member.handle, member.texts.empty() ? member.text : member.texts[time]);
      ++begin;
      continue;
    }
    const constructs::LoopSeen::Inner& inner = member.inner[depth];
    std::size_t behind = begin + 1;
    while (behind < end && members[behind].inner.size() > depth && members[behind].inner[depth] == inner)
      ++behind;
    for (unsigned i = 0; i < inner.times; ++i)
      writeOut(begin, behind, depth + 1, time * inner.times + i, all);
    begin = behind;
  }
}

std::vector<std::pair<sites::SiteHandle, std::string>> LoopGroup::writtenOut() const {
  std::vector<std::pair<sites::SiteHandle, std::string>> all;
  writeOut(0, members.size(), 0, 0, all);
  return all;
}

void LoopGroup::add(const AccessFound& access, const constructs::LoopSeen& loop) {
  if (accesses++ == 0) {
    seen = loop;
  } else {
    join(seen.row, loop.row);
    if (seen.alike != loop.alike) seen.alike.reset();
    addNew(seen.locals, loop.locals);
    seen.fixed &= loop.fixed;
    seen.times = seen.times == loop.times ? loop.times : 0;
  }
  places += loop.texts.empty() ? 1 : loop.texts.size();
  nests |= !loop.inner.empty();
  calls.insert(!loop.inner.empty()  ? loop.inner.front().span
               : access.first.whole ? *access.first.whole
                                    : access.first.range.span);
}

/// Each place costs about what a call does that the loop would make, each time round it.
bool LoopGroup::isWorthIt() const {
  return places <= format::maxLoopAccesses &&
         (!nests || seen.times == 0 || places <= seen.times * calls.size());
}

namespace {

/// The loop in front of which some sums of the access can be told: right around it, as what is in others
/// would be made as often as these go round; and one that lanes go round alike, or it would fail all the
/// time. None for what is accounted for in another way.
std::optional<constructs::LoopSeen> partLoop(const AccessFound& access, const constructs::Sources& sources) {
  constexpr unsigned fewTimes = 2;
  const constructs::AccessSeen& seen = access.first;
  if (seen.loops.empty() || (seen.alike && seen.alike->tile.empty()) || seen.row ||
      lineOf(seen.range.span, sources).empty())
    return std::nullopt;
  const constructs::LoopSeen& loop = seen.loops.front();
  if (!loop.steady || !loop.inner.empty() || (loop.times != 0 && loop.times <= fewTimes)) return std::nullopt;
  std::optional<constructs::LoopSeen> part = loop;
  part->copy = {};
  return part;
}

}  // namespace

void LoopGroups::addToPart(AccessFound& access, const constructs::Sources& sources) {
  std::optional<constructs::LoopSeen> loop = partLoop(access, sources);
  if (!loop) return;
  LoopGroup& part = parts_.try_emplace(loop->span).first->second;
  if (part.places == format::maxLoopAccesses) return;
  part.add(access, *loop);
  access.first.partOf = std::move(loop);
}

LoopGroups::LoopGroups(std::vector<AccessFound>& accesses, const constructs::Sources& sources) {
  for (const AccessFound& access : accesses)
    for (const constructs::LoopSeen& loop : access.first.loops)
      if (loop.quiet) groups_.try_emplace(loop.span).first->second.add(access, loop);
  // Of more it would be too much code; there is none for a site's several places.
  constexpr std::size_t mostOfRow = 8;
  for (auto& [span, group] : groups_)
    if (group.accesses > mostOfRow || group.nests) group.seen.row.reset();
  std::multimap<Span, const AccessFound*> byPlace;
  for (const AccessFound& access : accesses) byPlace.emplace(access.first.range.use, &access);
  const auto isIn = [](const AccessFound& access, const Span& loop) {
    const auto& loops = access.first.loops;
    return std::any_of(loops.begin(), loops.end(), [&](const auto& one) { return one.span == loop; });
  };
  std::erase_if(groups_, [&](const auto& one) {
    const auto& [span, group] = one;
    if (!group.isWorthIt()) return true;
    const auto first = byPlace.lower_bound(Span{span.file, span.begin, 0});
    const auto last = byPlace.lower_bound(Span{span.file, span.end, 0});
    return std::any_of(first, last, [&, &span = span](const auto& placed) {
      const auto& [place, access] = placed;
      if (place.end > span.end) return false;
      return !isIn(*access, span) || lineOf(access->first.range.span, sources).empty();
    });
  });
  for (AccessFound& access : accesses) {
    std::vector<constructs::LoopSeen>& loops = access.first.loops;
    const auto isNone = [this](const auto& loop) { return groups_.count(loop.span) == 0; };
    if (std::all_of(loops.begin(), loops.end(), isNone)) addToPart(access, sources);
    std::erase_if(loops, isNone);
  }
  std::vector<std::pair<Span, LoopGroup*>> open;
  for (auto& [span, group] : groups_) {
    while (!open.empty() && (open.back().first.file != span.file || open.back().first.end < span.end))
      open.pop_back();
    if (!open.empty()) group.around = open.back().second;
    open.emplace_back(span, &group);
  }
}

LoopGroup* LoopGroups::find(const AccessFound& access) {
  if (access.first.loops.empty()) return nullptr;
  const auto found = groups_.find(access.first.loops.front().span);
  return found == groups_.end() ? nullptr : &found->second;
}

LoopGroup* LoopGroups::findPart(const AccessFound& access) {
  return access.first.partOf ? &parts_.at(access.first.partOf->span) : nullptr;
}

}  // namespace cui::driver
