#include "instructions.h"

#include <algorithm>
#include <map>

namespace cui::cpu::ptx {
namespace {

const std::map<std::string_view, Row>& instructionRows() {
  static const std::map<std::string_view, Row> all{
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name, and a list in braces
#define CUI_PTX_INSTRUCTION(operation, families, function) {operation, {operation, families, &function}},
#include "instructions.def"
  };
  return all;
}

char letterOf(Family family) {
  switch (family) {
    case Family::none:
      return ' ';
    case Family::predicate:
      return 'p';
    case Family::pattern:
      return 'b';
    case Family::natural:
      return 'u';
    case Family::integer:
      return 's';
    case Family::real:
      return 'f';
    case Family::packed:
      return 'x';
  }
  return ' ';
}

}  // namespace

const Row* find(std::string_view name) {
  for (;;) {
    if (const auto row = instructionRows().find(name); row != instructionRows().end()) return &row->second;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return nullptr;
    name = name.substr(0, dot);
  }
}

bool knowsTypes(const Row& row, const Instruction& instruction) {
  if (row.families.empty()) return true;
  return !instruction.types.empty() &&
         std::all_of(instruction.types.begin(), instruction.types.end(), [&](Type type) {
           return row.families.find(letterOf(familyOf(type))) != std::string_view::npos;
         });
}

}  // namespace cui::cpu::ptx
