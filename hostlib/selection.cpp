#include "hostlib/selection.h"

#include <fnmatch.h>

#include <algorithm>
#include <limits>

#include "db/store/numbers.h"

namespace cui::hostlib {
namespace {

using db::parseNumber;

std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    if (end != 0) result.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

void Selection::setKernels(std::string_view patterns) {
  for (const std::string_view part : parts(patterns)) kernels_.emplace_back(part);
}

bool Selection::setLaunches(std::string_view text) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const std::string_view part : parts(text)) {
    const std::size_t dash = part.find('-');
    const std::string_view lastText = dash == part.npos ? part : part.substr(dash + 1);
    const auto first = parseNumber(part.substr(0, dash));
    const auto last = lastText.empty() ? std::numeric_limits<std::uint64_t>::max() : parseNumber(lastText);
    if (!first || !last || *first == 0 || *last < *first) return false;
    ranges.emplace_back(*first, *last);
  }
  if (ranges.empty()) return false;
  launches_ = std::move(ranges);
  return true;
}

/// The last pattern that matches decides; without one, all are included if the first pattern takes away.
bool Selection::includesKernel(std::string_view kernel) const {
  if (kernels_.empty()) return true;
  bool included = kernels_.front().front() == '!';
  const std::string name(kernel);
  for (const std::string& pattern : kernels_) {
    const bool takesAway = pattern.front() == '!';
    if (::fnmatch(pattern.c_str() + (takesAway ? 1 : 0), name.c_str(), 0) == 0) included = !takesAway;
  }
  return included;
}

bool Selection::includes(std::string_view kernel, std::uint64_t launchId) const {
  return includesAny(kernel, launchId, 1);
}

bool Selection::includesAny(std::string_view kernel, std::uint64_t firstId, std::uint64_t count) const {
  return includesAnyId(firstId, count) && includesKernel(kernel);
}

bool Selection::includesAnyId(std::uint64_t firstId, std::uint64_t count) const {
  return launches_.empty() || std::any_of(launches_.begin(), launches_.end(), [&](const auto& range) {
           return range.first < firstId + count && firstId <= range.second;
         });
}

bool Selection::includesAnyOf(const format::UnitTable& unit) const {
  for (std::uint32_t i = 0; i < unit.kernelCount; ++i)
    if (includesKernel(unit.kernels[i].name)) return true;
  for (std::uint32_t i = 0; i < unit.launchCount; ++i)
    if (!namesVariable(&unit, i) && includesKernel(kernelOf(&unit, i))) return true;
  return includesKernel("");
}

std::string_view withoutTemplateArguments(std::string_view kernel) {
  return kernel.substr(0, kernel.find('<'));
}

std::string_view kernelOf(const format::UnitTable* unit, std::uint32_t launchEntry) {
  if (unit == nullptr || launchEntry >= unit->launchCount) return "";
  const format::LaunchEntry& launch = unit->launches[launchEntry];
  if (*launch.kernelBase != '\0') return launch.kernelBase;
  return withoutTemplateArguments(launch.kernel);
}

bool namesVariable(const format::UnitTable* unit, std::uint32_t launchEntry) {
  return unit != nullptr && launchEntry < unit->launchCount &&
         *unit->launches[launchEntry].kernelBase == '\0';
}

}  // namespace cui::hostlib
