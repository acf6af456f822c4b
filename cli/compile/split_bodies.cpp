#include "cli/compile/split_bodies.h"

#include <cstddef>

#include "cli/compile/split_prologue.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

/// A variable's declaration: it would be another one in each body.
bool declaresMemory(std::string_view line) {
  return line.starts_with("\t.shared ") || line.starts_with("\t.local ") || line.starts_with("\t.global ") ||
         line.starts_with("\t.const ");
}

/// What stands between a body's first brace and its last, without the prologue.
std::string_view insideOf(std::string_view body) {
  const std::size_t brace = body.find('{'), prologue = body.find(endOfPrologue);
  const std::size_t from = prologue == std::string_view::npos ? brace + 1 : prologue + endOfPrologue.size();
  return body.substr(from, body.rfind('}') - from);
}

std::string prologueOf(std::string_view body) {
  const std::size_t brace = body.find('{'), end = body.find(endOfPrologue);
  if (end == std::string_view::npos) return {};
  return std::string(body.substr(brace + 1, end + endOfPrologue.size() - brace - 1));
}

/// Takes a body's declarations of memory out of it, to the end of `memory`.
std::string withoutMemory(std::string_view inside, std::string& memory) {
  std::string rest;
  while (!inside.empty()) {
    const std::string_view line = takeUpTo(inside, "\n");
    (declaresMemory(line) ? memory : rest).append(line).append("\n");
  }
  return rest;
}

}  // namespace

std::string withBothBodies(const SplitBodies& bodies) {
  std::string memory, again;
  const std::string first = withoutMemory(insideOf(bodies.first), memory);
  const std::string second = withoutMemory(insideOf(bodies.second), again);
  std::string result(bodies.first.substr(0, bodies.first.find('{')));
  result.append("{\n");
  result.append(bodies.begin).append(prologueOf(bodies.first)).append(memory).append(bodies.question);
  result.append("{\n").append(first).append(bodies.behind).append("}\n");
  result.append(secondBody)
      .append(":\n{\n")
      .append(second)
      .append("}\n")
      .append(bodies.first.substr(bodies.first.rfind('}')));
  return result;
}

}  // namespace cui::cli
