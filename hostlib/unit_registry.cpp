#include "hostlib/unit_registry.h"

#include <algorithm>

#include "cuinstrument/format/site_rows.h"

namespace cui::hostlib {

UnitRegistry::Registration UnitRegistry::add(const format::UnitTable& unit) {
  const std::lock_guard lock(mutex_);
  const auto [position, isNew] = bases_.try_emplace(&unit, nextSite_);
  bool isWhole = true;
  if (isNew) {
    // Another format was refused before.
    if (unit.formatVersion == format::unitFormatVersion) isWhole = format::readSiteRows(unit);
    units_[nextSite_] = &unit;
    nextSite_ += std::max<std::uint32_t>(unit.siteCount, 1);
    for (std::uint32_t i = 0; i < unit.kernelCount; ++i) kernels_.insert(unit.kernels[i].name);
  }
  return Registration{position->second, isNew, isWhole};
}

std::string UnitRegistry::kernelName(std::uint32_t siteBase, std::uint64_t kernel) const {
  const std::lock_guard lock(mutex_);
  const auto found = units_.find(siteBase);
  if (found == units_.end() || kernel >= found->second->kernelCount) return {};
  return found->second->kernels[kernel].name;
}

bool UnitRegistry::hasKernel(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  return kernels_.find(name) != kernels_.end();
}

}  // namespace cui::hostlib
