#include "cli/compile/waiting_code.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
bool beginsWith(std::string_view text, std::string_view begin) {
  return text.substr(0, begin.size()) == begin;
}

/// An instruction's name, behind its predicate: `ld.volatile.global.u32`.
std::string_view operationOf(std::string_view line) {
  std::size_t begin = line.find_first_not_of(" \t{");
  if (begin == std::string_view::npos) return {};
  if (line[begin] == '@')
    begin = line.find_first_not_of(" \t", std::min(line.find_first_of(" \t", begin), line.size()));
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_first_of(" \t;", begin) - begin);
}

/// What no launch of some blocks can have, or what says that its blocks know of each other.
bool isOfWholeGrid(std::string_view line, std::string_view operation) {
  constexpr std::array parts = {"cluster",          "griddepcontrol", "%dynamic_smem_size",
                                "%total_smem_size", "%aggr_smem_",    "%gridid",
                                "%envreg",          "nanosleep"};
  return std::any_of(parts.begin(), parts.end(), [line](const char* part) { return has(line, part); }) ||
         beginsWith(operation, "mapa") || beginsWith(operation, "multimem");
}

/// Reads that may find, the next time, what another block has written, and what makes others do so. A block's
/// own shared memory says nothing of other blocks.
bool asksAgain(std::string_view operation) {
  if (has(operation, ".shared") || has(operation, ".cta")) return false;
  if (beginsWith(operation, "atom")) return true;
  if (beginsWith(operation, "membar") || beginsWith(operation, "fence")) return true;
  if (!beginsWith(operation, "ld.")) return false;
  constexpr std::array ways = {".volatile", ".relaxed", ".acquire", ".mmio", ".cg", ".cv"};
  return std::any_of(ways.begin(), ways.end(), [operation](const char* way) { return has(operation, way); });
}

}  // namespace

bool mayWaitForBlocks(std::string_view body, bool all) {
  std::map<std::string_view, std::size_t> labels;          // and the number of the line
  std::vector<std::pair<std::size_t, std::size_t>> turns;  // from a line back to one
  std::vector<std::size_t> asking;
  for (std::size_t number = 0; !body.empty(); ++number) {
    const std::string_view line = takeUpTo(body, "\n");
    if (const std::size_t colon = line.find(':'); beginsWith(line, "$") && colon != std::string_view::npos) {
      labels.emplace(line.substr(0, colon), number);
      continue;
    }
    const std::string_view operation = operationOf(line);
    if (isOfWholeGrid(line, operation)) return true;
    if (asksAgain(operation)) asking.push_back(number);
    // A branch, or a line of a table of them.
    for (std::size_t at = 0; (at = line.find('$', at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(" \t,;", at), line.size());
      if (const auto label = labels.find(line.substr(at, end - at)); label != labels.end())
        turns.emplace_back(label->second, number);
      at = end;
    }
  }
  // Each way round a loop goes back somewhere; what lies on it lies between.
  return std::any_of(asking.begin(), asking.end(), [&](std::size_t number) {
    return all || std::any_of(turns.begin(), turns.end(), [number](const auto& turn) {
             return turn.first <= number && number <= turn.second;
           });
  });
}

}  // namespace cui::cli
