#include "instructions.h"

#include <map>

namespace cui::cpu::ptx {
namespace {

struct Row {
  std::string_view families;
  Execute execute;
};

const std::map<std::string_view, Row>& rows() {
  static const std::map<std::string_view, Row> all{
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name, and a list in braces
#define CUI_PTX_INSTRUCTION(operation, families, function) {operation, {families, &function}},
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

Execute find(std::string_view operation, const Instruction& instruction) {
  const auto row = rows().find(operation);
  if (row == rows().end()) return nullptr;
  const std::string_view families = row->second.families;
  if (!families.empty() && instruction.types.empty()) return nullptr;
  if (!families.empty())
    for (const Type type : instruction.types)
      if (families.find(letterOf(familyOf(type))) == std::string_view::npos) return nullptr;
  return row->second.execute;
}

}  // namespace cui::cpu::ptx
