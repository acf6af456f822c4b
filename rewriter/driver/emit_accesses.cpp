#include "driver/emit_accesses.h"

#include <algorithm>
#include <string_view>

#include "driver/runs.h"

namespace cui::driver {

using constructs::AccessFound;
using constructs::Span;
using edit::Form;
using sites::Status;

namespace {

/// `CUI_MACRO_POINTER` of `CUI_POINTER`; plain accesses stand for what has no such twin. Where arguments tell
/// uses apart, `CUI_ARGUMENT_LOAD` of `CUI_LOAD`.
Form macroForm(Form form, bool byArgument) {
  constexpr std::string_view prefix = "CUI_";
  Form result = byArgument ? Form::CUI_ARGUMENT_ACCESS : Form::CUI_MACRO_ACCESS;
  edit::findForm(
      (byArgument ? "CUI_ARGUMENT_" : "CUI_MACRO_") + std::string(edit::name(form).substr(prefix.size())),
      result);
  return result;
}

/// What a constructor stores in a member that no reference can be bound to.
bool isField(Form form) {
  return form == Form::CUI_INITIALISED_FIELD || form == Form::CUI_MACRO_INITIALISED_FIELD;
}

bool contains(const Span& outer, const Span& inner) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

}  // namespace

void AccessEmitter::add(std::vector<AccessFound> accesses) {
  Groups groups = groupsOf(accesses);
  for (AccessFound& found : accesses) {
    if (found.first.form == Form::CUI_ARGUMENT) {
      addArgument(found);
      continue;
    }
    LoopGroup* const loop = loops_.find(found);
    LoopGroup* const partOf = loops_.findPart(found);
    const auto group = found.first.whole ? groups.find(frontOf(*found.first.whole)) : groups.end();
    sites::Site& site = found.first.site;
    const bool statement = found.first.layer >= constructs::Layer::initialised;
    const bool twice = found.first.form == Form::CUI_PACKED;
    const std::string copy = twice ? to_.lineOf(found.first.range.span) : "";
    if (site.reason.empty() && twice && copy.empty()) site.reason = "in a packed structure, on several lines";
    if (site.reason.empty() && !statement && group == groups.end() && !to_.reserve(found.first.range.span))
      site.reason = "its range overlaps another edit";
    if (found.types.size() > 1) {
      site.type.clear();
      for (const std::string& type : found.types) site.type += (site.type.empty() ? "" : " | ") + type;
    }
    const bool skipped = !site.reason.empty();
    const auto complete = [&](sites::Site& one) {
      one.reason = site.reason;
      one.status = skipped ? Status::skipped : Status::instrumented;
    };
    complete(site);
    if (skipped) {  // a row for each expansion of a macro
      for (auto& [use, expansion] : found.uses) {
        complete(expansion);
        to_.setPlace(expansion, use.place);
        to_.table().add(expansion);
      }
      continue;
    }
    to_.setPlace(site, found.first.range.span);
    const sites::SiteHandle handle = to_.table().add(site);
    const bool inMacro = found.first.range.macro;
    if (inMacro) {
      for (auto& [use, expansion] : found.uses) {
        complete(expansion);
        to_.setPlace(expansion, use.place);
        to_.table().addExpansion(handle, expansion, use.argument);
      }
      for (const auto& [line, endLine] : found.otherLines) to_.table().addOther(handle, line, endLine);
    }
    addToLoops(loop, found, handle);
    if (partOf) addToLoop(*partOf, found, *found.first.partOf, handle);
    if (group != groups.end()) {
      group->second.loop = loop;
      group->second.add({handle, to_.lineOf(found.first.range.span), partOf}, found.first);
      continue;
    }
    to_.keepTexts(found.first.range);
    const Form form = inMacro ? macroForm(found.first.form, found.byArgument) : found.first.form;
    if (statement)
      to_.insertLater(found.first.brace.span, 0,
                      [this, form, handle, measures = found.first.measures, expression = site.expression] {
                        const std::uint32_t number = to_.table().number(handle);
                        return isField(form) ? edit::statement(form, number, measures.first, measures.second)
                                             : edit::statement(form, number, expression);
                      });
    else
      to_.wrapLater(
          found.first.range.span, [this, form, handle, loop, partOf, measures = found.first.measures,
                                   size = found.first.size, count = found.first.count,
                                   alike = found.first.alike, row = rowOf(found, form, loop), twice, copy] {
            const std::uint32_t number = to_.table().number(handle);
            if (twice) return edit::open(form, number, {copy});
            if (partOf) return edit::open(Form::CUI_BESIDE_LOOP_ACCESS, number, {numberOf(*partOf)});
            if (form == Form::CUI_CONVERTED || form == Form::CUI_MACRO_CONVERTED)
              return edit::open(form, number, {count});
            if (loop && loop->isWhole())
              return edit::open(
                  loop->outermost().seen.alike ? Form::CUI_ALIKE_LOOP_ACCESS : Form::CUI_LOOP_ACCESS, number);
            if (alike && form == Form::CUI_ACCESS)
              return edit::open(Form::CUI_ALIKE_ACCESS, number, alike->all());
            if (row) return rows_.open(row->first, {{number, row->second}});
            return edit::open(form, number, measures.first, measures.second, count,
                              measures.first == 0 ? size : "");
          });
  }
  for (auto& [whole, group] : groups) addTogether(whole, group);
  addLoops();
  addPartLoops();
}

/// It only says which one it is, to the forms in the macro's text.
void AccessEmitter::addArgument(const AccessFound& argument) {
  const Span& span = argument.first.range.span;
  if (!to_.reserve(span)) return;
  to_.keepTexts(argument.first.range);
  to_.wrapLater(span, [number = argument.first.argument] { return edit::open(Form::CUI_ARGUMENT, number); });
}

/// Two or three at a time, the last ones innermost, which is first.
void AccessEmitter::addTogether(const Span& whole, Group& group) {
  group.endWhole();
  std::vector<Part> parts = group.parts;
  while (!parts.empty()) {
    // Those of a loop that has their sums go by themselves.
    const LoopGroup* const partOf = parts.back().partOf;
    const auto run =
        static_cast<std::size_t>(std::find_if(parts.rbegin(), parts.rend(),
                                              [partOf](const Part& part) { return part.partOf != partOf; }) -
                                 parts.rbegin());
    const std::size_t count = run < 4 ? run : run == 4 ? 2 : 3;
    to_.wrapLater(whole, [this, loop = group.loop, partOf, row = rowOf(group, whole, parts.size() - count),
                          alike = group.alike, some = std::vector<Part>(parts.end() - count, parts.end())] {
      std::vector<std::pair<unsigned, std::string>> numbered;
      for (const Part& part : some) numbered.emplace_back(to_.table().number(part.handle), part.text);
      if (partOf) return edit::open(Form::CUI_BESIDE_LOOP, numberOf(*partOf), numbered);
      if (loop && loop->isWhole())
        return edit::open(loop->outermost().seen.alike ? Form::CUI_IN_ALIKE_LOOP : Form::CUI_IN_LOOP,
                          numbered);
      if (alike) return edit::open(Form::CUI_ALIKE, edit::list(alike->all()), numbered);
      if (!row) return edit::open(Form::CUI_TOGETHER, numbered);
      return rows_.open(*row, numbered);
    });
    parts.resize(parts.size() - count);
  }
}

std::optional<std::pair<std::size_t, std::string>> AccessEmitter::rowOf(const AccessFound& found, Form form,
                                                                        const LoopGroup* loop) {
  if (!found.first.row || form != Form::CUI_ACCESS) return std::nullopt;
  const Span& span = found.first.range.span;
  std::string text = to_.lineOf(span);
  if (text.empty()) return std::nullopt;
  const auto rank = found.first.isTarget ? SameRows::Rank::target : SameRows::Rank::inside;
  const std::size_t place = rowOf(*found.first.row, {{}, rank, span}, loop, found.first.alike.has_value());
  return std::pair(place, std::move(text));
}
std::optional<std::size_t> AccessEmitter::rowOf(const Group& group, const Span& whole, std::size_t part) {
  if (!group.row) return std::nullopt;
  return rowOf(*group.row, {{}, SameRows::Rank::inFront, whole, part}, group.loop, group.alike.has_value());
}
std::size_t AccessEmitter::rowOf(const constructs::RowSeen& row, SameRows::Order order, const LoopGroup* loop,
                                 bool alike) {
  return rows_.add(row, std::move(order), [loop, alike] { return !(loop && loop->isWhole()) && !alike; });
}
void AccessEmitter::addRows() {
  rows_.decide();
  for (const auto& [brace, count] : rows_.counts())
    for (unsigned number = 0; number < count; ++number)
      to_.insertLater(brace, 1, [number] { return edit::statement(Form::CUI_ROW, number); });
}

void AccessEmitter::addToLoop(LoopGroup& group, const AccessFound& found, const constructs::LoopSeen& loop,
                              sites::SiteHandle handle) {
  const Span& span = found.first.range.span;
  const Span& whole = found.first.whole ? *found.first.whole : span;
  group.members.push_back(
      {{whole, found.first.isTarget}, span, handle, to_.lineOf(span), loop.inner, loop.texts});
}
void AccessEmitter::addToLoops(LoopGroup* innermost, const AccessFound& found, sites::SiteHandle handle) {
  LoopGroup* group = innermost;
  for (const constructs::LoopSeen& loop : found.first.loops) {
    addToLoop(*group, found, loop, handle);
    group = group->around;
  }
}

std::pair<std::vector<std::pair<unsigned, std::string>>, std::string> AccessEmitter::placesOf(
    const LoopGroup& loop) {
  std::string locals;
  for (const std::string& local : loop.seen.locals) locals += (locals.empty() ? "" : " ") + local;
  std::vector<std::pair<unsigned, std::string>> places;
  for (auto& [handle, text] : loop.writtenOut())
    places.emplace_back(to_.table().number(handle), std::move(text));
  return {std::move(places), std::move(locals)};
}
std::string AccessEmitter::numberOf(const LoopGroup& loop) {
  return edit::number(to_.table().number(loop.members.front().handle));
}

void AccessEmitter::addPartLoops() {
  for (auto& [span, loop] : loops_.parts()) {
    if (loop.members.empty()) continue;
    loop.sort();
    to_.insertLater({span.file, 0, loop.seen.before}, 2, [this, loop = &loop] {
      const auto [places, locals] = placesOf(*loop);
      return edit::loop(Form::CUI_PART_OF_LOOP, places.front().first, std::nullopt, loop->seen.head, locals,
                        places, "");
    });
  }
}

void AccessEmitter::addLoops() {
  for (auto& [span, loop] : loops_) {
    if (!loop.isRecorded()) continue;
    loop.sort();
    to_.insertLater({span.file, 0, loop.seen.before}, 2, [this, loop = &loop] {
      const bool isOutermost = &loop->outermost() == loop;
      const auto [parts, locals] = placesOf(*loop);
      if (isOutermost && loop->seen.alike)
        return edit::loop(loop->seen.fixed ? Form::CUI_FIXED_ALIKE_LOOP : Form::CUI_ALIKE_LOOP,
                          parts.front().first, edit::list(*loop->seen.alike), loop->seen.head, locals, parts,
                          loop->seen.copy);
      if (isOutermost && loop->seen.row)
        return edit::loop(
            loop->seen.fixed ? Form::CUI_FIXED_LOOP_BY_ROW : Form::CUI_LOOP_BY_ROW, parts.front().first,
            edit::rowShape(loop->seen.row->corners, loop->seen.row->declarations, loop->seen.row->guard) +
                ", (" + edit::list(loop->seen.row->numbers.all()) + ")",
            loop->seen.head, locals, parts, loop->seen.copy);
      return edit::loop(loop->seen.fixed ? Form::CUI_FIXED_LOOP : Form::CUI_LOOP, parts.front().first,
                        std::nullopt, loop->seen.head, locals, parts, loop->seen.copy);
    });
  }
}

AccessEmitter::Groups AccessEmitter::groupsOf(std::vector<AccessFound>& accesses) {
  std::map<Span, std::vector<AccessFound*>> members;
  for (AccessFound& found : accesses) {
    std::optional<Span>& whole = found.first.whole;
    if (whole && to_.lineOf(found.first.range.span).empty()) whole.reset();
    if (whole) members[*whole].push_back(&found);
  }
  // Before accesses that stay where they are only loads may be recorded: who writes comes last.
  for (const AccessFound& found : accesses) {
    const Span& place = found.first.range.use;
    if (found.first.whole || !found.first.site.reason.empty()) continue;
    auto around = members.upper_bound(Span{place.file, place.begin, ~0u});
    if (around == members.begin() || !contains((--around)->first, place)) continue;
    std::erase_if(around->second, [](AccessFound* member) {
      if (member->first.site.kind == sites::Kind::load) return false;
      member->first.whole.reset();
      return true;
    });
  }
  Groups groups;
  for (const Run& run : runsOf(members, accesses, loops_)) {
    if (run.size() > 1 && to_.reserve(run.front().whole)) {
      groups.try_emplace(run.front().whole);
      for (const RunStep& step : run) fronts_[step.whole] = run.front().whole;
      continue;
    }
    for (const RunStep& step : run) {
      if (step.accesses.size() > 1 && to_.reserve(step.whole))
        groups.try_emplace(step.whole);
      else
        for (AccessFound* member : step.accesses) member->first.whole.reset();
    }
  }
  return groups;
}
Span AccessEmitter::frontOf(const Span& whole) const {
  const auto front = fronts_.find(whole);
  return front == fronts_.end() ? whole : front->second;
}

}  // namespace cui::driver
