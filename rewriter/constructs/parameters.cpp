// Accesses that are the whole of a macro's argument. A form around the argument says the same wherever the
// macro uses it. Where that reads it in one place and writes it in another (`SWAP(a[i], a[j])`), or makes a
// text of it as well, the parameter is edited in the macro's text, at each of its places by itself.
#include "constructs/findings.h"

#include <algorithm>

namespace cui::constructs {
namespace {

/// Lines of expansions, which forms in a macro's text are told apart by.
bool shareLines(const std::map<clang::SourceLocation, std::pair<unsigned, unsigned>>& expansions) {
  std::vector<std::pair<unsigned, unsigned>> lines;
  lines.reserve(expansions.size());
  for (const auto& [expansion, own] : expansions) lines.push_back(own);
  std::sort(lines.begin(), lines.end());
  const auto meet = [](const auto& one, const auto& next) { return next.first <= one.second; };
  return std::adjacent_find(lines.begin(), lines.end(), meet) != lines.end();
}

}  // namespace

void Findings::addArgument(const Key& key, const AccessSeen& access) {
  if (access.layer != Layer::object) return;
  Argument& argument = arguments_[key];
  if (!access.range.asParameter) {
    argument.all = false;
    return;
  }
  AccessSeen there = access;
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
  place->second.arguments.insert(key);
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
      if (parameter != parameters_.end() && all.parameters.insert(span).second)
        next.insert(next.end(), parameter->second.arguments.begin(), parameter->second.arguments.end());
    }
  }
  return all;
}

bool Findings::canEditParameters(const Connected& all) const {
  const bool arguments = std::all_of(all.arguments.begin(), all.arguments.end(), [this](const Key& key) {
    const auto access = accesses_.find(key);
    if (access == accesses_.end() || !arguments_.at(key).all || vetoes_.count(key.span) > 0) return false;
    const AccessSeen& first = access->second.first;
    return first.form != edit::Form::CUI_PACKED &&
           (first.site.reason.empty() || first.site.reason == turnedIntoText);
  });
  return arguments && std::all_of(all.parameters.begin(), all.parameters.end(), [this](const Span& span) {
           const Key key{span, Layer::object};
           const AccessFound& found = parameters_.at(span).found;
           const auto named = named_.find(span);
           return accesses_.count(key) == 0 && edit::isPlainAccess(found.first.form) &&
                  whyNot(key, found).empty() && (named == named_.end() || !shareLines(named->second));
         });
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
    if (!canEditParameters(all)) continue;
    for (const Key& one : all.arguments) accesses_.erase(one);
    for (const Span& span : all.parameters)
      accesses_.emplace(Key{span, Layer::object}, std::move(parameters_.at(span).found));
  }
  arguments_.clear();
  parameters_.clear();
}

}  // namespace cui::constructs
