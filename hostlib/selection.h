// Which launches are recorded (CUINSTRUMENT_KERNELS, CUINSTRUMENT_LAUNCHES). Immutable once made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cuinstrument/host/abi.h"

namespace cui::hostlib {

class Selection {
 public:
  /// Everything.
  Selection() = default;

  /// `patterns`: names with * and ?, separated by commas; one that begins with ! takes away.
  void setKernels(std::string_view patterns);
  /// `text`: `5`, `10-20`, `100-`, separated by commas. False, and nothing is changed, if it is not that.
  bool setLaunches(std::string_view text);

  bool everything() const { return kernels_.empty() && launches_.empty(); }
  bool choosesKernels() const { return !kernels_.empty(); }
  bool choosesLaunches() const { return !launches_.empty(); }
  bool includes(std::string_view kernel, std::uint64_t launchId) const;
  /// True if a launch of `kernel` with one of the `count` ids from `firstId` on would be included.
  bool includesAny(std::string_view kernel, std::uint64_t firstId, std::uint64_t count) const;
  /// The same of a launch whose kernel is not known.
  bool includesAnyId(std::uint64_t firstId, std::uint64_t count) const;
  /// True if a launch of one of the unit's kernels could be included, one of its launches whose kernel is
  /// known, or one of code that says nothing (a library's kernel that calls the unit's functions).
  bool includesAnyOf(const format::UnitTable& unit) const;

 private:
  bool includesKernel(std::string_view kernel) const;

  std::vector<std::string> kernels_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> launches_;  ///< first, last
};

/// `ns::scale<float, 32>` without what it is instantiated for.
std::string_view withoutTemplateArguments(std::string_view kernel);

/// The launched kernel's qualified name, without template arguments, or the variable's that holds it; "" if
/// it is not known.
std::string_view kernelOf(const format::UnitTable* unit, std::uint32_t launchEntry);
/// A variable holds the kernel, which says its name when it begins.
bool namesVariable(const format::UnitTable* unit, std::uint32_t launchEntry);

}  // namespace cui::hostlib
