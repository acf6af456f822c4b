// Accesses that are the whole of a macro's text (`#define AT(i) p[i]`). A form in the text knows its use by
// the line; where lines have several uses, or some uses are no such access, each is edited where it is.
#include "constructs/findings.h"

#include <algorithm>

namespace cui::constructs {
namespace {

/// Forms that say nothing but which site it is.
bool isPlain(edit::Form form) {
  return form == edit::Form::CUI_ACCESS || form == edit::Form::CUI_LOAD || form == edit::Form::CUI_STORE;
}

}  // namespace

void Findings::addUse(const Key& key, const AccessSeen& access) {
  if (key.layer != Layer::object) return;
  Uses& uses = uses_[key];
  uses.all &= access.range.whereUsed && isPlain(access.form);
  if (!uses.all) return;
  uses.lines[{access.range.use, access.range.whereUsed->span}] = {access.range.line, access.range.endLine};
  AccessSeen use = access;
  use.range = *access.range.whereUsed;
  use.site.macro = use.range.outermostMacro.empty() ? use.range.standsFor : use.range.outermostMacro;
  const auto [place, fresh] = uses.apart.try_emplace(use.range.span);
  join(place->second, fresh, std::move(use));
  place->second.atUse = true;
}

bool Findings::canEditUses(const Key& key, const Uses& uses, const AccessFound& text) const {
  if (!uses.all || !isPlain(text.first.form)) return false;
  for (const auto& [span, use] : uses.apart)
    if (accesses_.count(Key{span, key.layer}) > 0) return false;
  const std::string reason = whyNot(key, text);
  // Another macro's text, in which the use is, has the same doubts.
  if (reason == otherwiseUsed)
    return std::none_of(uses.apart.begin(), uses.apart.end(),
                        [](const auto& use) { return use.second.first.range.macro; });
  if (!reason.empty()) return false;
  std::set<unsigned> taken;
  for (const auto& [use, lines] : uses.lines)
    for (unsigned line = lines.first; line <= lines.second; ++line)
      if (!taken.insert(line).second) return true;
  return false;
}

void Findings::editUses() {
  for (auto& [key, uses] : uses_) {
    const auto text = accesses_.find(key);
    if (text == accesses_.end() || !canEditUses(key, uses, text->second)) continue;
    accesses_.erase(text);
    for (auto& [span, use] : uses.apart)
      if (use.instantiated || instantiatedBodies_.count(use.first.body) == 0)
        accesses_.emplace(Key{span, key.layer}, std::move(use));
  }
  uses_.clear();
}

}  // namespace cui::constructs
