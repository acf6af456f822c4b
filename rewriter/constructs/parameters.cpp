// Accesses that are the whole of a macro's argument. A form around the argument says the same wherever the
// macro uses it. Where that reads it in one place and writes it in another (`SWAP(a[i], a[j])`), or makes a
// text of it as well, the parameter is edited in the macro's text, at each of its places by itself.
#include "constructs/findings.h"

#include <algorithm>

namespace cui::constructs {
namespace {

/// Those on lines with others, which lines do not tell apart.
std::set<clang::SourceLocation> onOneLine(
    const std::map<clang::SourceLocation, std::pair<unsigned, unsigned>>& expansions) {
  struct Lines {
    unsigned first, last;
    clang::SourceLocation expansion;
  };
  std::vector<Lines> all;
  all.reserve(expansions.size());
  for (const auto& [expansion, own] : expansions) all.push_back({own.first, own.second, expansion});
  std::sort(all.begin(), all.end(),
            [](const Lines& one, const Lines& other) { return one.first < other.first; });
  std::set<clang::SourceLocation> result;
  const Lines* farthest = nullptr;
  for (const Lines& lines : all) {
    if (farthest && lines.first <= farthest->last) result.insert({farthest->expansion, lines.expansion});
    if (!farthest || lines.last > farthest->last) farthest = &lines;
  }
  return result;
}

}  // namespace

void Findings::addArgument(const Key& key, const AccessSeen& access) {
  if (access.layer != Layer::object) return;
  Argument& argument = arguments_[key];
  if (argument.number == 0) argument.number = static_cast<unsigned>(arguments_.size());
  if (!access.range.asParameter) {
    argument.all = false;
    return;
  }
  AccessSeen there = access;
  there.argument = argument.number;
  there.range = *access.range.asParameter;
  there.site.macro = there.range.outermostMacro;
  if (there.site.reason == turnedIntoText) there.site.reason.clear();
  const Span span = there.range.span;
  const Argument::Use use{there.site.kind, there.dependent};
  const auto [known, freshUse] = argument.parameters.try_emplace(span, use);
  if (!freshUse && known->second.dependent && !use.dependent)
    known->second = use;
  else if (!freshUse && known->second.dependent == use.dependent)
    known->second.kind = merged(known->second.kind, use.kind);
  accessed_[span].insert(there.range.expansion);
  const auto [place, fresh] = parameters_.try_emplace(span);
  place->second.arguments.emplace(there.range.expansion, key);
  join(place->second.found, fresh, std::move(there));
}

/// It has several kinds, or no place of its own.
bool Findings::isUsedUnlike(const Key& key, const Argument& argument) const {
  if (!argument.all || argument.parameters.empty()) return false;
  const auto access = accesses_.find(key);
  if (access == accesses_.end()) return false;
  if (access->second.first.site.reason == turnedIntoText) return true;
  std::set<sites::Kind> kinds;
  for (const auto& [span, use] : argument.parameters)
    if (parameters_.count(span) > 0) kinds.insert(use.kind);
  return kinds.size() > 1;
}

Findings::Connected Findings::connected(const Key& key) const {
  Connected all;
  std::vector<Key> next{key};
  while (!next.empty()) {
    const Key one = next.back();
    next.pop_back();
    if (!all.arguments.insert(one).second) continue;
    for (const auto& [span, use] : arguments_.at(one).parameters) {
      const auto parameter = parameters_.find(span);
      if (parameter == parameters_.end() || !all.parameters.insert(span).second) continue;
      for (const auto& [expansion, other] : parameter->second.arguments) next.push_back(other);
    }
  }
  return all;
}

/// Those of uses that lines do not tell apart.
std::set<Findings::Key> Findings::argumentsThatTell(const Connected& all) const {
  std::set<Key> result;
  for (const Span& span : all.parameters) {
    const auto named = named_.find(span);
    if (named == named_.end()) continue;
    const std::set<clang::SourceLocation> together = onOneLine(named->second);
    for (const auto& [expansion, key] : parameters_.at(span).arguments)
      if (together.count(expansion) > 0) result.insert(key);
  }
  return result;
}

/// CUI_ARGUMENT can be right around it, and nothing else is.
bool Findings::canTell(const Key& key) const {
  const AccessFound& found = accesses_.at(key);
  const edit::Form form = found.first.form;
  const auto onlyOne = [this, &key] {
    const auto first = accesses_.lower_bound(Key{key.span, Layer()});
    const auto next = std::next(first);
    return first->first == key && (next == accesses_.end() || next->first.span != key.span);
  };
  return edit::isPlainAccess(form) && form != edit::Form::CUI_ADDRESSED && whyNot(key, found).empty() &&
         onlyOne();
}

bool Findings::canEditParameters(const Connected& all, const std::set<Key>& telling) const {
  const bool arguments = std::all_of(all.arguments.begin(), all.arguments.end(), [&](const Key& key) {
    const auto access = accesses_.find(key);
    if (access == accesses_.end() || !arguments_.at(key).all || vetoes_.count(key.span) > 0) return false;
    const AccessSeen& first = access->second.first;
    return first.form != edit::Form::CUI_PACKED &&
           (first.site.reason.empty() || first.site.reason == turnedIntoText) &&
           (telling.count(key) == 0 || canTell(key));
  });
  return arguments && std::all_of(all.parameters.begin(), all.parameters.end(), [&](const Span& span) {
           const Key key{span, Layer::object};
           const Parameter& parameter = parameters_.at(span);
           const edit::Form form = parameter.found.first.form;
           const bool tells = std::any_of(parameter.arguments.begin(), parameter.arguments.end(),
                                          [&](const auto& one) { return telling.count(one.second) > 0; });
           return accesses_.count(key) == 0 && edit::isPlainAccess(form) &&
                  (!tells || form != edit::Form::CUI_ADDRESSED) && whyNot(key, parameter.found).empty();
         });
}

void Findings::editParameters(const Connected& all, const std::set<Key>& telling) {
  std::map<unsigned, unsigned> numbers;  // of arguments that tell, as they were found: as they are numbered
  for (const Key& key : all.arguments) {
    if (telling.count(key) == 0) {
      accesses_.erase(key);
      continue;
    }
    AccessSeen& argument = accesses_.at(key).first;
    argument.form = edit::Form::CUI_ARGUMENT;
    argument.argument = ++argumentsThatTell_;
    argument.whole.reset();
    argument.before.clear();
    argument.loops.clear();
    argument.partOf.reset();
    argument.row.reset();
    argument.alike.reset();
    numbers.emplace(arguments_.at(key).number, argument.argument);
  }
  for (const Span& span : all.parameters) {
    AccessFound& found = parameters_.at(span).found;
    std::map<MacroUse, sites::Site> uses;
    for (auto& [use, site] : found.uses) {
      const auto number = numbers.find(use.argument);
      found.byArgument |= number != numbers.end();
      const auto [place, fresh] =
          uses.try_emplace(MacroUse{use.place, number == numbers.end() ? 0 : number->second}, site);
      if (!fresh) merge(place->second, site);
    }
    found.uses = std::move(uses);
    accesses_.emplace(Key{span, Layer::object}, std::move(found));
  }
}

void Findings::editParameters() {
  std::erase_if(parameters_, [this](const auto& one) {
    const AccessFound& found = one.second.found;
    return !found.instantiated && instantiatedBodies_.count(found.first.body) > 0;
  });
  std::set<Key> seen;
  for (const auto& [key, argument] : arguments_) {
    if (seen.count(key) > 0 || !isUsedUnlike(key, argument)) continue;
    const Connected all = connected(key);
    seen.insert(all.arguments.begin(), all.arguments.end());
    const std::set<Key> telling = argumentsThatTell(all);
    if (canEditParameters(all, telling)) editParameters(all, telling);
  }
  arguments_.clear();
  parameters_.clear();
}

}  // namespace cui::constructs
