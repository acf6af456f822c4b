#include "cli/compile/control_flow.h"

#include <algorithm>
#include <set>

#include "cli/base/find_text.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {

bool endsBlock(std::string_view line, std::string_view operation) {
  return !mentions(line, "@") &&
         (operation == "ret" || operation == "exit" || operation == "trap" || operation.starts_with("bra"));
}

std::string_view operationOf(std::string_view line) {
  constexpr Characters blanks(" \t"), inFront(" \t{"), behind(" \t;");
  std::size_t begin = inFront.firstNotIn(line);
  if (begin == std::string_view::npos) return {};
  if (line[begin] == '@') begin = blanks.firstNotIn(line, blanks.firstIn(line, begin));
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, behind.firstIn(line, begin) - begin);
}

bool ControlFlow::read(std::string_view body, const Visit& visit) {
  const bool complete = readBlocks(body, visit);
  link();
  return complete;
}

bool ControlFlow::readBlocks(std::string_view body, const Visit& visit) {
  blocks_.emplace_back();
  while (!body.empty()) {
    const std::string_view line = takeUpTo(body, "\n");
    if (const std::size_t colon = line.find(':'); line.starts_with("$") && colon != std::string_view::npos) {
      labels_.emplace(line.substr(0, colon), blocks_.size());
      blocks_.emplace_back();
      continue;
    }
    const std::string_view operation = operationOf(line);
    if (!visit(line, operation, blocks_.size() - 1)) return false;
    if (!operation.empty()) blocks_.back().empty = false;
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

void ControlFlow::link() {
  for (std::size_t at = 0; at < blocks_.size(); ++at) {
    Block& block = blocks_[at];
    for (const std::string_view label : block.next)
      if (const auto found = labels_.find(label); found != labels_.end())
        block.behind.push_back(found->second);
    if (block.goesOn && at + 1 < blocks_.size()) block.behind.push_back(at + 1);
    for (const std::size_t next : block.behind)
      if (std::vector<std::size_t>& before = blocks_[next].before; before.empty() || before.back() != at)
        before.push_back(at);
  }
}

void ControlFlow::addBefore(std::size_t block, std::vector<std::size_t>& before) const {
  for (const std::size_t at : blocks_[block].before)
    if (blocks_[at].empty)
      addBefore(at, before);  // between a branch and a label
    else
      before.push_back(at);
}

std::optional<std::size_t> ControlFlow::ledInFrom(std::size_t block) const {
  std::vector<std::size_t> before;
  addBefore(block, before);
  if (before.size() != 1 || blocks_[before[0]].behind.size() != 1) return std::nullopt;
  return before[0];
}

std::size_t ControlFlow::loopsRound(std::size_t block) const {
  std::set<std::size_t> begins;
  for (std::size_t at = block; at < blocks_.size(); ++at)
    for (const std::size_t next : blocks_[at].behind)
      if (next <= block) begins.insert(next);
  return begins.size();
}

bool ControlFlow::leadsTo(std::size_t block, std::size_t other) const {
  std::vector<bool> seen(blocks_.size());
  std::vector<std::size_t> open = {block};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t next : blocks_[at].behind) {
      if (seen[next]) continue;
      seen[next] = true;
      open.push_back(next);
    }
    if (seen[other]) return true;
  }
  return false;
}

}  // namespace cui::cli
