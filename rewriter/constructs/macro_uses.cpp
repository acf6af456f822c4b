// Accesses that are the whole of a macro's text (`#define AT(i) p[i]`). A form in the text knows its use by
// the line; where lines have several uses, or some uses are no such access, each is edited where it is.
#include "constructs/findings.h"

#include <algorithm>

namespace cui::constructs {
void Findings::addUse(const Key& key, const AccessSeen& access) {
  if (key.layer != Layer::object) return;
  Uses& uses = uses_[key];
  uses.all &= access.range.whereUsed && edit::isPlainAccess(access.form);
  const Span& own = access.range.whereUsed ? access.range.whereUsed->span : access.range.use;
  uses.lines[{access.range.use, own}] = {access.range.line, access.range.endLine};
  if (!uses.all) return;
  AccessSeen use = access;
  use.range = *access.range.whereUsed;
  use.site.macro = use.range.outermostMacro.empty() ? use.range.standsFor : use.range.outermostMacro;
  const auto [place, fresh] = uses.apart.try_emplace(use.range.span);
  join(place->second, fresh, std::move(use));
  place->second.atUse = true;
}

bool Findings::canEditUses(const Key& key, const Uses& uses, const AccessFound& text) const {
  if (!uses.all || !edit::isPlainAccess(text.first.form)) return false;
  for (const auto& [span, use] : uses.apart)
    if (accesses_.count(Key{span, key.layer}) > 0) return false;
  const std::string reason = whyNot(key, text);
  // Another macro's text, in which the use is, has the same doubts.
  if (reason == otherwiseUsed)
    return std::none_of(uses.apart.begin(), uses.apart.end(),
                        [](const auto& use) { return use.second.first.range.macro; });
  if (!reason.empty()) return false;
  if (sharesLine(text, uses)) return true;
  std::set<unsigned> taken;
  for (const auto& [use, lines] : uses.lines)
    for (unsigned line = lines.first; line <= lines.second; ++line)
      if (!taken.insert(line).second) return true;
  return false;
}

/// Expansions that only name an object, and others that access it.
bool Findings::sharesLine(const AccessFound& text, const Uses& uses) {
  return std::any_of(text.otherLines.begin(), text.otherLines.end(), [&](const auto& other) {
    return std::any_of(uses.lines.begin(), uses.lines.end(), [&](const auto& line) {
      return other.first <= line.second.second && line.second.first <= other.second;
    });
  });
}

/// What a form in a macro's text meets besides accesses: `&AT(i)`, `AT(i).x`.
void Findings::findOthers() {
  for (auto& [key, found] : accesses_) {
    if (key.layer != Layer::object || !found.first.range.macro || !edit::isPlainAccess(found.first.form))
      continue;
    const std::set<clang::SourceLocation>& accessed = accessed_[key.span];
    const std::set<clang::SourceLocation>& all = confirmed_[key.span];
    if (std::includes(accessed.begin(), accessed.end(), all.begin(), all.end())) continue;
    if (found.first.form == edit::Form::CUI_STORE)  // that can only be assigned to
      found.first.form = edit::Form::CUI_ACCESS;
    for (const auto& [expansion, lines] : named_[key.span])
      if (accessed.count(expansion) == 0) found.otherLines.push_back(lines);
  }
}

void Findings::editUses() {
  for (auto& [key, uses] : uses_) {
    const auto text = accesses_.find(key);
    if (text == accesses_.end()) continue;
    if (!canEditUses(key, uses, text->second)) {
      std::string& reason = text->second.first.site.reason;
      if (reason.empty() && sharesLine(text->second, uses)) reason = otherwiseUsed;
      continue;
    }
    accesses_.erase(text);
    for (auto& [span, use] : uses.apart)
      if (use.instantiated || instantiatedBodies_.count(use.first.body) == 0)
        accesses_.emplace(Key{span, key.layer}, std::move(use));
  }
  uses_.clear();
}

}  // namespace cui::constructs
