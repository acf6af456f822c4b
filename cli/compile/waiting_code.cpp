#include "cli/compile/waiting_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>

#include "cli/compile/control_flow.h"

namespace cui::cli {
namespace {

bool beginsWith(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

/// What no launch of some blocks can have, or what says that its blocks know of each other.
bool isOfWholeGrid(std::string_view line, std::string_view operation) {
  constexpr std::array parts = {"cluster",          "griddepcontrol", "%dynamic_smem_size",
                                "%total_smem_size", "%aggr_smem_",    "%gridid",
                                "%envreg",          "nanosleep"};
  return std::any_of(parts.begin(), parts.end(), [line](const char* part) { return mentions(line, part); }) ||
         beginsWith(operation, "mapa") || beginsWith(operation, "multimem");
}

/// Reads that may find, the next time, what another block has written, and what makes others do so. A block's
/// own shared memory says nothing of other blocks.
bool asksAgain(std::string_view operation) {
  if (mentions(operation, ".shared") || mentions(operation, ".cta")) return false;
  if (beginsWith(operation, "atom")) return true;
  if (beginsWith(operation, "membar") || beginsWith(operation, "fence")) return true;
  if (!beginsWith(operation, "ld.")) return false;
  constexpr std::array ways = {".volatile", ".relaxed", ".acquire", ".mmio", ".cg", ".cv"};
  return std::any_of(ways.begin(), ways.end(),
                     [operation](const char* way) { return mentions(operation, way); });
}

}  // namespace

bool mayWaitForBlocks(std::string_view body, bool all) {
  ControlFlow flow;
  std::set<std::size_t> asking;  // blocks
  const bool known =
      flow.read(body, [&asking](std::string_view line, std::string_view operation, std::size_t block) {
        if (asksAgain(operation)) asking.insert(block);
        return !isOfWholeGrid(line, operation);
      });
  if (!known || all) return !known || !asking.empty();
  return std::any_of(asking.begin(), asking.end(),
                     [&flow](std::size_t block) { return flow.comesBack(block); });
}

}  // namespace cui::cli
