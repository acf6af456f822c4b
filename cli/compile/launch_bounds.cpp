#include "cli/compile/launch_bounds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "cli/compile/lean_kernels.h"
#include "cli/compile/linking_toolchain.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/ptx_text.h"

namespace cui::cli {
namespace {

/// What a multiprocessor has, which is in four parts; registers come by eights.
constexpr long lanesOfWarp = 32, quarters = 4, registersOfQuarter = 16'384, registersAtOnce = 8;
/// Of all GPUs from compute capability 7.5 on; ptxas ignores bounds that are more than a GPU has.
constexpr long mostBlocks = 16;

/// Some have 2,048, all since compute capability 8.0 have 1,536.
long mostThreadsOn(std::string_view target) {
  constexpr std::array<std::string_view, 4> large = {"sm_80", "sm_90", "sm_100", "sm_103"};
  while (!target.empty() && std::isdigit(static_cast<unsigned char>(target.back())) == 0)
    target.remove_suffix(1);  // sm_90a
  return std::find(large.begin(), large.end(), target) == large.end() ? 1536 : 2048;
}

/// The product of a directive's numbers; 0 without it.
long productOf(std::string_view declaration, std::string_view directive) {
  const std::size_t at = declaration.find(directive);
  if (at == std::string_view::npos) return 0;
  std::string_view line = declaration.substr(at + directive.size());
  line = line.substr(0, line.find('\n'));
  const std::string numbers(line);
  long product = 1;
  const char* from = numbers.c_str();
  for (char* end = nullptr;; from = end + 1) {
    product *= std::strtol(from, &end, 10);
    if (*end != ',') return product;
  }
}

/// What ptxas gives a kernel so declared at most; nothing if its bounds say too little, or too much.
std::optional<long> registersLeft(std::string_view declaration, long mostThreads) {
  const long threads = std::max(productOf(declaration, ".maxntid"), productOf(declaration, ".reqntid"));
  const long blocks = productOf(declaration, ".minnctapersm");
  const long warps = (threads + lanesOfWarp - 1) / lanesOfWarp * blocks;
  if (threads <= 0 || blocks <= 0 || blocks > mostBlocks || warps * lanesOfWarp > mostThreads)
    return std::nullopt;
  const long warpsOfQuarter = (warps + quarters - 1) / quarters;
  return registersOfQuarter / (lanesOfWarp * warpsOfQuarter) / registersAtOnce * registersAtOnce;
}

/// Whether a site's call reaches all that takes the recorder's registers. What only says which kernel runs
/// takes fewer.
bool recordsAccesses(std::string_view body) {
  constexpr std::string_view site = "InMode";
  if (body.find(site) == std::string_view::npos) return false;
  bool found = false;
  forEachWord(body, [&](std::string_view, std::string_view word) {
    found = found || (recorderFunction(word).ends_with(site) && !isLeanName(word));
  });
  return found;
}

}  // namespace

std::optional<long> registersLeftByBounds(std::string_view ptx) {
  const long mostThreads = mostThreadsOn(targetOf(ptx));
  std::optional<long> fewest;
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::optional<long> left = registersLeft(declaration, mostThreads);
    if (left && *left < fewest.value_or(RecorderCode::usualRegisters) && recordsAccesses(body)) fewest = left;
  });
  return fewest;
}

}  // namespace cui::cli
