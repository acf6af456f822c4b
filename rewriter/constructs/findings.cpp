#include "constructs/findings.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace cui::constructs {
namespace {

using sites::Kind;

/// Where instantiations move tiles of several shapes, their fragments are asked.
edit::Form ofAnyShape(edit::Form form) {
  using edit::Form;
  if (form == Form::CUI_TILE_LOAD) return Form::CUI_ANY_TILE_LOAD;
  return form == Form::CUI_TILE_STORE ? Form::CUI_ANY_TILE_STORE : form;
}

/// Of a field, the form that asks where it is; itself if there is none.
edit::Form thatAsks(edit::Form form) {
  using edit::Form;
  if (form == Form::CUI_FIELD) return Form::CUI_ANY_FIELD;
  if (form == Form::CUI_ARROW_FIELD) return Form::CUI_ANY_ARROW_FIELD;
  return form == Form::CUI_THIS_FIELD ? Form::CUI_ANY_THIS_FIELD : form;
}

bool canAsk(const AccessSeen& field) {
  return field.layer == Layer::field && !field.count.empty() && thatAsks(field.form) != field.form &&
         field.range.outermostMacro.empty() && field.range.texts.empty() && field.range.asserts.empty();
}

constexpr char alternative[] = " | ";

/// Adds one of several instantiations' types or contexts to a list like `T=float | T=int`.
void addAlternative(std::string& all, const std::string& one) {
  const std::string_view list = all, separator = alternative;
  for (std::size_t at = list.find(one); at != list.npos; at = list.find(one, at + 1)) {
    const std::string_view before = list.substr(0, at), after = list.substr(at + one.size());
    if ((before.empty() || before.ends_with(separator)) && (after.empty() || after.starts_with(separator)))
      return;
  }
  all += (all.empty() ? "" : alternative) + one;
}

bool isPunned(edit::Form one, edit::Form other) {
  return (one == edit::Form::CUI_PUNNED && other == edit::Form::CUI_ACCESS) ||
         (one == edit::Form::CUI_ACCESS && other == edit::Form::CUI_PUNNED);
}

}  // namespace

Kind merged(Kind a, Kind b) {
  if (a == b) return a;
  if (a == Kind::atomic || b == Kind::atomic) return Kind::atomic;
  return a == Kind::copy || b == Kind::copy ? Kind::copy : Kind::rmw;
}

void merge(sites::Site& into, const sites::Site& from) {
  into.kind = merged(into.kind, from.kind);
  if (into.bytes != from.bytes) into.bytes = 0;
  if (into.space != from.space) into.space = sites::Space::generic;
  if (into.reason.empty()) into.reason = from.reason;
  if (!from.templateContext.empty()) addAlternative(into.templateContext, from.templateContext);
}

std::vector<std::string> LoopNumbers::all() const {
  std::vector<std::string> result;
  if (!tile.empty()) result.push_back(tile);
  result.insert(result.end(), outer.begin(), outer.end());
  result.insert(result.end(), inner.begin(), inner.end());
  return result;
}

bool LoopSeen::join(const LoopSeen& other) {
  const auto same = [](const LoopSeen& one) {
    return std::tie(one.span, one.before, one.head, one.copy, one.locals, one.fixed, one.inner, one.texts);
  };
  if (same(*this) != same(other)) return false;
  if (times != other.times) times = 0;
  if (alike != other.alike) alike.reset();
  if (row != other.row) row.reset();
  steady &= other.steady;
  quiet &= other.quiet;
  return true;
}

void joinLoops(std::vector<LoopSeen>& loops, const std::vector<LoopSeen>& others) {
  std::erase_if(loops, [&](LoopSeen& loop) {
    return std::none_of(others.begin(), others.end(),
                        [&](const LoopSeen& other) { return loop.join(other); });
  });
}

void Findings::add(AccessSeen access) {
  if (!access.range.located) return;  // implicit code: nothing of it is in a file
  if (access.site.reason.empty()) access.site.reason = access.range.reason;
  if (access.site.reason.empty() && access.range.handedOn && !edit::isKnownExpanded(access.form))
    access.site.reason = turnedIntoText;
  access.site.macro = access.range.outermostMacro;
  const Key key{keyOf(access.range), access.layer};
  if (access.range.macro) addUse(key, access);
  if (access.range.inArgument) addArgument(key, access);
  if (access.range.macro && access.layer == Layer::object) accessed_[key.span].insert(access.range.expansion);
  auto [place, fresh] = accesses_.try_emplace(key);
  join(place->second, fresh, std::move(access));
}

void Findings::join(AccessFound& found, bool fresh, AccessSeen access) {
  // A generic lambda's, in code made from a template, is that template's no more.
  const bool asWritten = access.dependent && !access.instantiated;
  const bool inPattern = found.inPattern || asWritten;
  // A macro's text that one of its expansions wants so.
  if (!fresh && isPunned(found.first.form, access.form))
    found.first.form = access.form = edit::Form::CUI_PUNNED;
  // What a pattern says counts only until an instantiation says more.
  if (fresh || (!found.instantiated && !access.dependent)) {
    found = {};
    found.first = access;
  } else if (found.instantiated && access.dependent) {
    found.inPattern = inPattern;
    return;
  } else {
    if (access.layer == Layer::tile && found.first.measures != access.measures) {
      found.first.form = access.form = ofAnyShape(access.form);
      found.first.measures = access.measures = {};
    }
    if (found.first.measures != access.measures && canAsk(found.first) && canAsk(access) &&
        !(found.first.bitField && access.bitField)) {
      found.differs = true;
      (access.bitField ? found.first : access).measures = (access.bitField ? access : found.first).measures;
    }
    found.first.bitField |= access.bitField;
    if (found.first.measures.first != access.measures.first && !access.size.empty() &&
        found.first.size == access.size)
      found.first.measures.first = access.measures.first = 0;
    if (found.first.size != access.size) found.first.size.clear();
    if (found.first.form != access.form) {
      if (access.layer == Layer::object)
        found.first.form = edit::Form::CUI_ACCESS;
      else if (access.layer == Layer::each)
        found.first.form = edit::Form::CUI_EACH;
      else if (found.first.site.reason.empty())
        found.first.site.reason = "another kind of access in another instantiation";
    }
    if ((found.first.measures != access.measures || found.first.count != access.count) &&
        found.first.site.reason.empty())
      found.first.site.reason = "its size or place differs between instantiations";
    if (found.first.whole != access.whole) found.first.whole.reset();
    std::erase_if(found.first.before, [&access](const Span& whole) {
      return std::find(access.before.begin(), access.before.end(), whole) == access.before.end();
    });
    joinLoops(found.first.loops, access.loops);
    if (found.first.row != access.row) found.first.row.reset();
    if (found.first.alike != access.alike) found.first.alike.reset();
    merge(found.first.site, access.site);
  }
  found.inPattern = inPattern;
  found.fromTemplate |= access.instantiated;
  found.instantiated = !access.dependent;
  found.types.insert(access.site.type);
  const auto [use, freshUse] =
      found.uses.try_emplace(MacroUse{access.range.use, access.argument}, access.site);
  if (freshUse) return;
  merge(use->second, access.site);
  addAlternative(use->second.type, access.site.type);
}

void Findings::confirm(const Resolved& range, bool runs) {
  if (range.asParameter) confirm(*range.asParameter, runs);
  if (!range.macro || !range.reason.empty()) return;
  confirmed_[range.span].insert(range.expansion);
  if (runs) named_[range.span].try_emplace(range.expansion, range.line, range.endLine);
}

void Findings::confirmField(const Resolved& range) {
  if (range.macro && range.reason.empty()) confirmedFields_[range.span].insert(range.expansion);
}

void Findings::confirmHolder(const Resolved& range) {
  if (range.macro && range.reason.empty()) confirmedHolders_[range.span].insert(range.expansion);
}

void Findings::confirmCast(const Resolved& range) {
  if (range.macro && range.reason.empty()) confirmedCasts_[range.span].insert(range.expansion);
}

void Findings::addNamedTwice(const Resolved& range, bool repeatable) {
  if (!range.reason.empty()) return;
  namedTwice_.try_emplace(range.span, true).first->second &= repeatable;
  if (range.macro && repeatable) confirmedTwice_[range.span].insert(range.expansion);
}

void Findings::veto(const Resolved& range, std::string reason) {
  if (range.reason.empty()) vetoes_.try_emplace(range.span, std::move(reason));
}

/// In all expansions of its macro, if it is in one.
bool Findings::isEverywhere(const AccessFound& found, const Confirmed& confirmed) const {
  const auto expansions = preprocessing_.expansions.find(found.first.range.macro);
  if (!found.first.range.macro || found.atUse || expansions == preprocessing_.expansions.end()) return true;
  const auto known = confirmed.find(found.first.range.span);
  return known != confirmed.end() && std::includes(known->second.begin(), known->second.end(),
                                                   expansions->second.begin(), expansions->second.end());
}

std::string Findings::whyNot(const Key& key, const AccessFound& found) const {
  if (!found.first.site.reason.empty()) return found.first.site.reason;
  if (key.layer == Layer::field && found.fromTemplate && !found.inPattern) {
    const Span& member = found.first.member.value_or(key.span);
    const auto object = accesses_.find(Key{member, Layer::object});
    if (others_.count(member) > 0 || (object != accesses_.end() && object->second.instantiated))
      return "a bit field or packed member in some instantiations";
  }
  if (key.layer == Layer::holder || key.layer == Layer::implied) {
    const bool implied = key.layer == Layer::implied || found.first.form == edit::Form::CUI_BESIDE_THIS;
    const std::set<Span>& others = implied ? notImplied_ : noHolders_;
    if (others.count(key.span) > 0) return "a pointer that its object has in some instantiations";
    const auto veto = vetoes_.find(key.span);
    if (veto != vetoes_.end() &&
        (found.first.form == edit::Form::CUI_FIELD || veto->second == memberTemplate))
      return veto->second;
    return isEverywhere(found, confirmedHolders_) ? "" : otherwiseUsed;
  }
  if (key.layer == Layer::field) return isEverywhere(found, confirmedFields_) ? "" : otherwiseUsed;
  if (key.layer == Layer::cast) return isEverywhere(found, confirmedCasts_) ? "" : otherwiseUsed;
  if (key.layer != Layer::object && key.layer != Layer::made && key.layer != Layer::each) return "";
  if (const auto veto = vetoes_.find(key.span); veto != vetoes_.end()) return veto->second;
  if (found.first.form != edit::Form::CUI_PACKED)
    return key.layer != Layer::object || isEverywhere(found, confirmed_) ? "" : otherwiseUsed;
  if (found.first.range.handedOn) return turnedIntoText;
  if (others_.count(key.span) > 0) return "in a packed structure in some instantiations";
  if (!namedTwice_.at(key.span) || callsWithin(key.span))
    return "in a packed structure, at a place that cannot be evaluated twice";
  return isEverywhere(found, confirmedTwice_) ? "" : otherwiseUsed;
}

/// In some instantiation.
bool Findings::callsWithin(const Span& text) const {
  for (auto call = once_.lower_bound(Span{text.file, text.begin, 0});
       call != once_.end() && call->file == text.file && call->begin < text.end; ++call)
    if (call->end <= text.end) return true;
  return false;
}

/// What is in the text must be recorded where it is made: in other instantiations there is other code in it.
bool Findings::isApart(const Span& whole) const {
  const auto next = once_.lower_bound(Span{whole.file, whole.begin, 0});
  return next != once_.end() && next->file == whole.file && next->begin < whole.end;
}

/// A member that is a bit field, or packed, in some instantiations, and has an address in the others:
/// recorded through the structure in all of them. So is a packed one that lies elsewhere in others.
void Findings::joinFields() {
  for (auto& [key, found] : accesses_) {
    AccessSeen& field = found.first;
    if (!canAsk(field) || !field.member || !field.site.reason.empty() || others_.count(*field.member) > 0)
      continue;
    const auto place = accesses_.find(Key{*field.member, Layer::object});
    const bool joins = place != accesses_.end() && place->second.instantiated &&
                       place->second.first.site.reason.empty() && found.fromTemplate && !found.inPattern;
    if (joins || found.differs) field.form = thatAsks(field.form);
    if (!joins) continue;
    merge(field.site, place->second.first.site);
    found.types.insert(place->second.types.begin(), place->second.types.end());
    accesses_.erase(place);
  }
}

/// What no reference binds to in some instantiation or expansion has that form in all of them.
void Findings::nameTwice() {
  for (const auto& [text, repeatable] : namedTwice_) {
    const auto place = accesses_.find(Key{text, Layer::object});
    if (place == accesses_.end()) continue;
    AccessSeen& access = place->second.first;
    access.form = edit::Form::CUI_PACKED;
    access.whole.reset();
    access.loops.clear();
    access.row.reset();
    access.alike.reset();
  }
}

std::vector<AccessFound> Findings::takeAccesses() {
  std::erase_if(accesses_, [this](const auto& one) {
    return !one.second.instantiated && instantiatedBodies_.count(one.second.first.body);
  });
  joinFields();
  nameTwice();
  editParameters();
  findOthers();
  editUses();
  // All before the first is moved: one access can be a reason against another.
  std::vector<std::string> reasons;
  reasons.reserve(accesses_.size());
  for (const auto& [key, found] : accesses_) reasons.push_back(whyNot(key, found));
  std::vector<AccessFound> result;
  result.reserve(accesses_.size());
  auto reason = reasons.begin();
  for (auto& [key, found] : accesses_) {
    AccessSeen& first = found.first;
    first.site.reason = std::move(*reason++);
    const bool skipped = !first.site.reason.empty();
    if (skipped || (first.whole && isApart(*first.whole))) first.whole.reset();
    std::erase_if(first.before, [&](const Span& before) {
      return !first.whole || isApart({before.file, before.begin, first.whole->end});
    });
    std::erase_if(first.loops, [&](const LoopSeen& loop) { return skipped || isApart(loop.span); });
    for (auto& [use, site] : found.uses) site.reason = first.site.reason;
    result.push_back(std::move(found));
  }
  accesses_.clear();
  return result;
}

void Findings::add(LaunchFound launch) {
  LaunchFound& known = launches_.try_emplace(keyOf(launch.whole), launch).first->second;
  const auto [use, fresh] = known.uses.try_emplace(launch.whole.use, launch.seen);
  if (!fresh) {
    use->second.kernels.insert(launch.seen.kernels.begin(), launch.seen.kernels.end());
    use->second.kernelBases.insert(launch.seen.kernelBases.begin(), launch.seen.kernelBases.end());
  }
  // A macro's launch may be in functions and outside; the outer form can be in both, if it captures nothing.
  known.captures |= launch.captures;
  if (known.hasBrackets() && launch.form != known.form)
    known.form = known.captures ? edit::Form::CUI_LAUNCH : edit::Form::CUI_OUTER_LAUNCH;
  // A null literal is only known as one where the parameter's type is, and a list's type as well.
  if (launch.arguments.size() > known.arguments.size()) std::swap(known.arguments, launch.arguments);
  for (LaunchPart& part : known.arguments)
    for (const LaunchPart& other : launch.arguments)
      if (part.range.span == other.range.span && part.open != other.open) part.open.clear();
}

constexpr char ownElsewhere[] = "a function of the program's in other instantiations";

void Findings::add(CallFound call) {
  const Span key = keyOf(call.name);
  if (ownCalls_.count(key) > 0) {
    if (call.guessed) return;
    call.name.reason = ownElsewhere;
  }
  const auto [place, fresh] = calls_.try_emplace(key, call);
  place->second.guessed &= call.guessed;
  if (call.form == edit::Form::CUI_PASTED_API) {
    place->second.uses.try_emplace(call.name.use, std::move(call.call));
    return;
  }
  if (!fresh && place->second.call.elementBytes != call.call.elementBytes)
    place->second.call.elementBytes = 0;
}

void Findings::addOwnCall(const Resolved& name) {
  if (!name.located) return;
  ownCalls_.insert(keyOf(name));
  const auto known = calls_.find(keyOf(name));
  if (known == calls_.end()) return;
  if (known->second.guessed)
    calls_.erase(known);
  else
    known->second.name.reason = ownElsewhere;
}

void Findings::add(VectorFound vector) {
  const auto [place, fresh] = vectors_.try_emplace(vector.name.span, vector);
  if (fresh) return;
  sites::Call& known = place->second.call;
  if (known.elementBytes != vector.call.elementBytes) known.elementBytes = 0;
  if (!vector.call.type.empty()) addAlternative(known.type, vector.call.type);
}

void Findings::add(RespellingFound respelling) {
  if (respelling.whole.reason.empty() && respelling.whole.handedOn) respelling.whole.reason = turnedIntoText;
  const Span key = keyOf(respelling.whole);
  respellings_.try_emplace(key, std::move(respelling));
}

void Findings::add(KernelFound kernel) {
  KernelFound& known = kernels_.try_emplace(keyOf(kernel.brace), kernel).first->second;
  known.uses.try_emplace(kernel.brace.use, kernel.kernel);
  known.fileShared.insert(kernel.fileShared.begin(), kernel.fileShared.end());
  std::erase_if(known.readOnly, [&](unsigned number) { return kernel.readOnly.count(number) == 0; });
}

void Findings::add(BarrierFound barrier) {
  if (barrier.reason.empty() && barrier.meets != Meets::warp) barrier.reason = barrier.range.reason;
  if (barrier.reason.empty() && barrier.range.handedOn) barrier.reason = turnedIntoText;
  const auto [place, fresh] = barriers_.try_emplace(keyOf(barrier.range), barrier);
  BarrierFound& known = place->second;
  if (!fresh && known.reason.empty() && known.meets != barrier.meets)
    known.reason = "of other threads in other instantiations";
}

void Findings::add(VariableFound variable) {
  const bool inMacro = variable.spelled.macro && variable.spelled.reason.empty();
  const Span key = keyOf(inMacro ? variable.spelled : variable.name);
  VariableFound& found = variables_.try_emplace(key, variable).first->second;
  const auto [use, fresh] = found.uses.try_emplace(variable.name.use, variable.variable);
  if (fresh) return;
  sites::Variable& known = use->second;
  const sites::Variable& other = variable.variable;
  if (other.elementBytes == 0) return;  // a template's pattern
  if (known.elementBytes == 0 && known.type.find(alternative) == std::string::npos) {
    known = other;  // the pattern came first
    return;
  }
  if (known.elementBytes != other.elementBytes) known.elementBytes = 0;
  if (known.bytes != other.bytes) known.bytes = 0;
  addAlternative(known.type, other.type);
  addAlternative(known.elementType, other.elementType);
}

}  // namespace cui::constructs
