#include "cli/compile/yields.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/compile/cubin.h"
#include "cli/compile/ptx_functions.h"

namespace cui::cli {
namespace {

/// Of 16 bytes, compute capability 7.0 to 12.0: the operation is in the lowest 12 bits, the predicate in the
/// next four; what the scheduler is told, in the highest 23.
constexpr std::size_t instructionBytes = 16;
constexpr std::uint64_t operationBits = 0xfff, yield = 0x946, noOperation = 0x918;
constexpr std::uint64_t schedulingBits = ~std::uint64_t{0} << 41;

bool hasSecondForm(const Cubin& code) {
  return std::any_of(code.names.begin(), code.names.end(),
                     [](std::string_view name) { return behind(name, ".nv.capmerc").has_value(); });
}

}  // namespace

std::string withoutYields(std::string code) {
  const Cubin cubin(code);
  if (hasSecondForm(cubin)) return code;
  for (std::size_t i = 0; i < cubin.sections.size(); ++i) {
    const auto section = behind(cubin.names[i], ".text.");
    if (!section || recorderFunction(*section).empty()) continue;
    const std::size_t begin = cubin.sections[i].sh_offset, size = cubin.contents(i).size();
    for (std::size_t at = begin; at + instructionBytes <= begin + size; at += instructionBytes) {
      const auto low = valueAt<std::uint64_t>(code, at), high = valueAt<std::uint64_t>(code, at + sizeof low);
      if ((low & operationBits) != yield) continue;
      put(code, at, (low & ~operationBits) | noOperation);
      put(code, at + sizeof low, high & schedulingBits);
    }
  }
  return code;
}

}  // namespace cui::cli
