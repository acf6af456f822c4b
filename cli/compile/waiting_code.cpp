#include "cli/compile/waiting_code.h"

#include <algorithm>
#include <array>
#include <map>
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

/// What is run from its first line to its last, or not at all.
struct Block {
  std::vector<std::string_view> next;  ///< labels that it names
  bool goesOn = true;                  ///< to the block behind it
  bool asks = false;
};

bool endsBlock(std::string_view line, std::string_view operation) {
  return operation == "ret" || operation == "exit" || operation == "trap" ||
         (beginsWith(operation, "bra") && line.find('@') == std::string_view::npos);
}

/// A function's blocks, by the lines that name labels: branches, and tables of them.
class ControlFlow {
 public:
  /// False if the body has what no launch of some blocks can have.
  bool read(std::string_view body) {
    blocks_.emplace_back();
    while (!body.empty()) {
      const std::string_view line = takeUpTo(body, "\n");
      if (const std::size_t colon = line.find(':');
          beginsWith(line, "$") && colon != std::string_view::npos) {
        labels_.emplace(line.substr(0, colon), blocks_.size());
        blocks_.emplace_back();
        continue;
      }
      const std::string_view operation = operationOf(line);
      if (isOfWholeGrid(line, operation)) return false;
      blocks_.back().asks |= asksAgain(operation);
      for (std::size_t at = 0; (at = line.find('$', at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t,;", at), line.size());
        blocks_.back().next.push_back(line.substr(at, end - at));
        at = end;
      }
      if (operation.empty() || (line.find('$') == std::string_view::npos && !endsBlock(line, operation)))
        continue;
      blocks_.back().goesOn = !endsBlock(line, operation);
      blocks_.emplace_back();
    }
    return true;
  }

  bool asks() const {
    return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.asks; });
  }
  /// Whether something that asks is come to again.
  bool asksAgainAndAgain() const {
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (blocks_[i].asks && comesBack(i)) return true;
    return false;
  }

 private:
  bool comesBack(std::size_t begin) const {
    std::vector<bool> seen(blocks_.size());
    std::vector<std::size_t> open = {begin};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      const auto visit = [&](std::size_t next) {
        if (next >= blocks_.size() || seen[next]) return;
        seen[next] = true;
        open.push_back(next);
      };
      for (const std::string_view label : blocks_[at].next)
        if (const auto found = labels_.find(label); found != labels_.end()) visit(found->second);
      if (blocks_[at].goesOn) visit(at + 1);
      if (seen[begin]) return true;
    }
    return false;
  }

  std::vector<Block> blocks_;
  std::map<std::string_view, std::size_t> labels_;
};

}  // namespace

bool mayWaitForBlocks(std::string_view body, bool all) {
  ControlFlow flow;
  return !flow.read(body) || (all ? flow.asks() : flow.asksAgainAndAgain());
}

}  // namespace cui::cli
