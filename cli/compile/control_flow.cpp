#include "cli/compile/control_flow.h"

#include <algorithm>

#include "cli/compile/unit_state.h"

namespace cui::cli {

bool endsBlock(std::string_view line, std::string_view operation) {
  return !mentions(line, "@") &&
         (operation == "ret" || operation == "exit" || operation == "trap" || operation.starts_with("bra"));
}

std::string_view operationOf(std::string_view line) {
  std::size_t begin = line.find_first_not_of(" \t{");
  if (begin == std::string_view::npos) return {};
  if (line[begin] == '@')
    begin = line.find_first_not_of(" \t", std::min(line.find_first_of(" \t", begin), line.size()));
  if (begin == std::string_view::npos) return {};
  return line.substr(begin, line.find_first_of(" \t;", begin) - begin);
}

bool ControlFlow::read(std::string_view body, const Visit& visit) {
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

bool ControlFlow::comesBack(std::size_t block) const {
  std::vector<bool> seen(blocks_.size());
  std::vector<std::size_t> open = {block};
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
    if (seen[block]) return true;
  }
  return false;
}

}  // namespace cui::cli
