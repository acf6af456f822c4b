#include "sites/table.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace cui::sites {
namespace {

template <class Entry>
auto orderOf(const Entry& entry) {
  return std::tuple(entry.place.file, entry.place.offset);
}
auto orderOf(const Site& site) {
  return std::tuple(site.place.file, site.place.offset, site.endLine, site.endColumn);
}

/// Sorts entries and gives each old index its number.
template <class Entry>
std::vector<std::uint32_t> sortAndNumber(std::vector<Entry>& entries) {
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(orderOf(entries[a]), a) < std::tuple(orderOf(entries[b]), b);
  });
  std::vector<Entry> sorted;
  sorted.reserve(entries.size());
  std::vector<std::uint32_t> numbers(entries.size());
  for (const std::uint32_t index : order) {
    numbers[index] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(std::move(entries[index]));
  }
  entries = std::move(sorted);
  return numbers;
}

/// Adds an entry unless one of the same place and name is there; gives its index.
template <class Entry>
std::uint32_t addOnce(std::vector<Entry>& entries, Entry entry, std::string Entry::* name) {
  const auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& other) {
    return orderOf(other) == orderOf(entry) && other.*name == entry.*name;
  });
  if (same != entries.end()) return static_cast<std::uint32_t>(same - entries.begin());
  entries.push_back(std::move(entry));
  return static_cast<std::uint32_t>(entries.size() - 1);
}

}  // namespace

void Table::setRewriterVersion(std::string version) {
  version_ = std::move(version);
}

std::uint32_t Table::addFile(File file) {
  const auto same = std::find_if(files_.begin(), files_.end(),
                                 [&](const File& other) { return other.absolutePath == file.absolutePath; });
  if (same != files_.end()) return static_cast<std::uint32_t>(same - files_.begin());
  files_.push_back(std::move(file));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

SiteHandle Table::add(Site site) {
  assert(!finalized_);
  sites_.push_back(std::move(site));
  return SiteHandle(static_cast<std::uint32_t>(sites_.size() - 1));
}

void Table::addExpansion(SiteHandle definition, Site expansion, std::uint32_t argument) {
  assert(!finalized_);
  const auto base = static_cast<std::uint32_t>(definition);
  const auto [known, fresh] = expansionNumbers_.try_emplace(
      {base, argument, expansion.place.file, expansion.place.line, expansion.endLine}, expansions_.size());
  if (!fresh) {
    Expansion& other = expansions_[known->second];
    if (other.site.kind != expansion.kind) other.site.kind = Kind::rmw;
    if (other.site.bytes != expansion.bytes) other.site.bytes = 0;
    if (orderOf(expansion) < orderOf(other.site)) {
      expansion.kind = other.site.kind;
      expansion.bytes = other.site.bytes;
      other.site = std::move(expansion);
    }
    return;
  }
  expansions_.push_back({base, argument, std::move(expansion)});
}

void Table::addOther(SiteHandle definition, std::uint32_t line, std::uint32_t endLine) {
  assert(!finalized_);
  others_.push_back({static_cast<std::uint32_t>(definition), line, endLine});
}

KernelHandle Table::add(Kernel kernel) {
  return KernelHandle(addOnce(kernels_, std::move(kernel), &Kernel::name));
}
LaunchHandle Table::add(Launch launch) {
  return LaunchHandle(addOnce(launches_, std::move(launch), &Launch::kernelBase));
}
CallHandle Table::add(Call call) {
  return CallHandle(addOnce(calls_, std::move(call), &Call::api));
}
VariableHandle Table::add(Variable variable) {
  return VariableHandle(addOnce(variables_, std::move(variable), &Variable::name));
}

void Table::addLine(KernelHandle first, KernelHandle there, std::uint32_t line, std::uint32_t endLine) {
  kernelLines_.push_back({first, there, line, endLine});
}
void Table::addLine(LaunchHandle first, LaunchHandle there, std::uint32_t line, std::uint32_t endLine) {
  launchLines_.push_back({first, there, line, endLine});
}
void Table::addLine(VariableHandle first, VariableHandle there, std::uint32_t line, std::uint32_t endLine) {
  variableLines_.push_back({first, there, line, endLine});
}
void Table::addLine(CallHandle first, CallHandle there, std::uint32_t line, std::uint32_t endLine) {
  callLines_.push_back({first, there, line, endLine});
  callLines_.push_back({first, first, 0, 0});  // text that was not understood may expand it, too
}

template <class Handle>
void Table::addLineEntries(const std::vector<LineUse<Handle>>& uses) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> claimed;  // key and line
  for (const LineUse<Handle>& use : uses)
    for (std::uint32_t line = use.line; line <= use.endLine; ++line)
      if (claimed.insert({lineKey(use.first), line}).second)
        macroLines_.push_back({lineKey(use.first), line, number(use.there)});
  hasMacros_ = hasMacros_ || !uses.empty();
}

void Table::finalize() {
  assert(!finalized_);
  finalized_ = true;
  const std::vector<MacroLine> byHandle = resolveExpansions();
  siteNumbers_ = sortAndNumber(sites_);
  kernelNumbers_ = sortAndNumber(kernels_);
  launchNumbers_ = sortAndNumber(launches_);
  callNumbers_ = sortAndNumber(calls_);
  variableNumbers_ = sortAndNumber(variables_);
  for (const MacroLine& entry : byHandle)
    macroLines_.push_back(
        {siteNumbers_[entry.site], entry.line, siteNumbers_[entry.lineSite], entry.argument});
  addOtherLines();
  addLineEntries(kernelLines_);
  addLineEntries(launchLines_);
  addLineEntries(variableLines_);
  addLineEntries(callLines_);
  std::sort(macroLines_.begin(), macroLines_.end(), [](const MacroLine& a, const MacroLine& b) {
    return std::tie(a.site, a.line, a.argument) < std::tie(b.site, b.line, b.argument);
  });
  assignIds();
  unitId_ = textHash(epilogue());
}

// Turns expansions into sites. The compile-time table knows lines but not files, so a line that two
// expansions of one access claim belongs to neither: its records fall back to the definition's site.
std::vector<Table::MacroLine> Table::resolveExpansions() {
  std::map<std::array<std::uint32_t, 3>, unsigned> claims;  // by definition, line and argument
  for (const Expansion& expansion : expansions_)
    for (std::uint32_t line = expansion.site.place.line; line <= expansion.site.endLine; ++line)
      ++claims[{expansion.definition, line, expansion.argument}];
  for (const auto& [claim, count] : claims)
    if (claim[2] == 0) claimed_.insert({claim[0], claim[1]});

  std::map<std::uint32_t, unsigned> expansionsOf;
  for (const Expansion& expansion : expansions_) ++expansionsOf[expansion.definition];

  std::vector<MacroLine> entries;
  for (Expansion& expansion : expansions_) {
    if (expansionsOf[expansion.definition] == 1) {
      // The only expansion: the definition's own site stands for it, and no line needs an entry.
      expansion.site.macro = sites_[expansion.definition].macro;
      sites_[expansion.definition] = std::move(expansion.site);
      continue;
    }
    std::vector<std::uint32_t> lines;
    for (std::uint32_t line = expansion.site.place.line; line <= expansion.site.endLine; ++line)
      if (claims[{expansion.definition, line, expansion.argument}] == 1) lines.push_back(line);
    if (lines.empty()) continue;
    const auto lineSite = static_cast<std::uint32_t>(sites_.size());
    sites_.push_back(std::move(expansion.site));
    for (const std::uint32_t line : lines)
      entries.push_back({expansion.definition, line, lineSite, expansion.argument});
  }
  hasMacros_ = !expansions_.empty();
  return entries;
}

void Table::addOtherLines() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> added;
  for (const OtherLines& other : others_)
    for (std::uint32_t line = other.line; line <= other.endLine; ++line)
      if (claimed_.count({other.definition, line}) == 0 && added.insert({other.definition, line}).second)
        macroLines_.push_back({siteNumbers_[other.definition], line, noSite});
}

void Table::assignIds() {
  std::map<std::uint64_t, std::uint32_t> ordinals;  // how many of one function, expression and kind
  std::set<std::uint64_t> used;
  for (Site& site : sites_) {
    std::uint32_t ordinal = ordinals[stableId(site.function, site.expression, site.kind, 0)]++;
    // Two keys with one hash are next to impossible; ids must be unique in a unit even then.
    do {
      site.id = stableId(site.function, site.expression, site.kind, ordinal);
      ordinal += 1u << 31;
    } while (!used.insert(site.id).second);
  }
}

std::uint32_t Table::number(SiteHandle handle) const {
  return siteNumbers_.at(static_cast<std::size_t>(handle));
}
std::uint32_t Table::number(KernelHandle handle) const {
  return kernelNumbers_.at(static_cast<std::size_t>(handle));
}
std::uint32_t Table::number(LaunchHandle handle) const {
  return launchNumbers_.at(static_cast<std::size_t>(handle));
}
std::uint32_t Table::number(CallHandle handle) const {
  return callNumbers_.at(static_cast<std::size_t>(handle));
}
std::uint32_t Table::number(VariableHandle handle) const {
  return variableNumbers_.at(static_cast<std::size_t>(handle));
}

std::uint32_t Table::lineKey(KernelHandle handle) const {
  return static_cast<std::uint32_t>(sites_.size()) + number(handle);
}
std::uint32_t Table::lineKey(LaunchHandle handle) const {
  return static_cast<std::uint32_t>(sites_.size() + kernels_.size()) + number(handle);
}
std::uint32_t Table::lineKey(VariableHandle handle) const {
  return static_cast<std::uint32_t>(sites_.size() + kernels_.size() + launches_.size()) + number(handle);
}
std::uint32_t Table::lineKey(CallHandle handle) const {
  return static_cast<std::uint32_t>(sites_.size() + kernels_.size() + launches_.size() + variables_.size()) +
         number(handle);
}

}  // namespace cui::sites
