#include "constructs/findings.h"

namespace cui::constructs {
namespace {

using sites::Kind;

/// A range that is read in one place and written in another does both.
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
  if (!from.templateContext.empty() && into.templateContext.find(from.templateContext) == std::string::npos)
    into.templateContext += (into.templateContext.empty() ? "" : " | ") + from.templateContext;
}

const Span& keyOf(const Resolved& range) {
  return range.reason.empty() ? range.span : range.use;
}

}  // namespace

void Findings::add(AccessSeen access) {
  if (!access.range.located) return;  // implicit code: nothing of it is in a file
  if (access.site.reason.empty()) access.site.reason = access.range.reason;
  const Key key{keyOf(access.range), access.form == edit::Form::CUI_POINTER};
  auto [place, fresh] = accesses_.try_emplace(key);
  AccessFound& found = place->second;
  // What a pattern says counts only until an instantiation says more.
  if (fresh || (!found.instantiated && !access.dependent)) {
    found = {};
    found.first = access;
  } else if (found.instantiated && access.dependent) {
    return;
  } else {
    if (found.first.form != access.form && access.form != edit::Form::CUI_POINTER)
      found.first.form = edit::Form::CUI_ACCESS;
    merge(found.first.site, access.site);
  }
  found.instantiated = !access.dependent;
  found.types.insert(access.site.type);
  const auto [use, freshUse] = found.uses.try_emplace(access.range.use, access.site);
  if (!freshUse) merge(use->second, access.site);
}

void Findings::confirm(const Resolved& range) {
  if (range.macro && range.reason.empty()) confirmed_[range.span].insert(range.expansion);
}

void Findings::veto(const Resolved& range, std::string reason) {
  if (range.reason.empty()) vetoes_.try_emplace(range.span, std::move(reason));
}

std::string Findings::whyNot(const Key& key, const AccessFound& found) const {
  if (!found.first.site.reason.empty()) return found.first.site.reason;
  if (!found.instantiated) return "its template is not instantiated in this unit";
  if (key.pointer) return "";
  if (const auto veto = vetoes_.find(key.span); veto != vetoes_.end()) return veto->second;
  if (!found.first.range.macro) return "";
  const auto expansions = preprocessing_.expansions.find(found.first.range.macro);
  const auto confirmed = confirmed_.find(key.span);
  if (expansions != preprocessing_.expansions.end())
    for (const clang::SourceLocation expansion : expansions->second)
      if (confirmed == confirmed_.end() || !confirmed->second.count(expansion))
        return "not every expansion of the macro is such an access";
  return "";
}

std::vector<AccessFound> Findings::accesses() const {
  std::vector<AccessFound> result;
  for (const auto& [key, found] : accesses_) {
    if (!found.instantiated && instantiatedBodies_.count(found.first.body)) continue;
    AccessFound copy = found;
    copy.first.site.reason = whyNot(key, found);
    for (auto& [use, site] : copy.uses) site.reason = copy.first.site.reason;
    result.push_back(std::move(copy));
  }
  return result;
}

void Findings::add(LaunchFound launch) {
  const auto [place, fresh] = launches_.try_emplace(keyOf(launch.whole), launch);
  if (fresh) return;
  place->second.kernels.insert(launch.kernels.begin(), launch.kernels.end());
  if (place->second.launch.kernelBase.empty()) place->second.launch.kernelBase = launch.launch.kernelBase;
  // A null literal is only known as one where the parameter's type is.
  if (launch.arguments.size() > place->second.arguments.size()) place->second.arguments = launch.arguments;
}

void Findings::add(CallFound call) {
  const Span key = keyOf(call.name);
  const auto [place, fresh] = calls_.try_emplace(key, call);
  if (!fresh && place->second.call.elementBytes != call.call.elementBytes)
    place->second.call.elementBytes = 0;
}

void Findings::add(KernelFound kernel) {
  kernels_.try_emplace(keyOf(kernel.brace), std::move(kernel));
}

void Findings::add(VariableFound variable) {
  const Span key = keyOf(variable.name);
  const auto [place, fresh] = variables_.try_emplace(key, variable);
  if (fresh) return;
  sites::Variable& known = place->second.variable;
  const sites::Variable& other = variable.variable;
  if (known.elementBytes == 0 && known.bytes == 0) {  // the pattern came first
    known = other;
    return;
  }
  if (known.elementBytes != other.elementBytes && other.elementBytes) known.elementBytes = 0;
  if (known.bytes != other.bytes && other.bytes) known.bytes = 0;
}

}  // namespace cui::constructs
