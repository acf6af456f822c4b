#include "constructs/ptx_predicates.h"

#include <algorithm>
#include <cctype>

namespace cui::constructs {
namespace {

struct Comparison {
  std::string_view name, sign;
  bool isUnsigned;
};
constexpr Comparison comparisons[] = {
    {"eq", "==", false}, {"ne", "!=", false}, {"lt", "<", false}, {"le", "<=", false}, {"gt", ">", false},
    {"ge", ">=", false}, {"lo", "<", true},   {"ls", "<=", true}, {"hi", ">", true},   {"hs", ">=", true}};

std::string typeOf(std::string_view type, bool isUnsigned) {
  if (type.size() != 3 || (type.front() != 'b' && type.front() != 's' && type.front() != 'u')) return "";
  const std::string_view bits = type.substr(1);
  const char* const name = bits == "16" ? "short" : bits == "32" ? "int" : bits == "64" ? "long long" : "";
  if (*name == '\0') return "";
  return (type.front() == 's' && !isUnsigned ? "" : "unsigned ") + std::string(name);
}

bool isDigits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
}

/// `%4` or a number, in C++; "" for a register.
std::string valueOf(std::string_view text, const std::string& type) {
  if (!text.empty() && text.front() == '%' && isDigits(text.substr(1)))
    return "static_cast<" + type + ">(" + std::string(text) + ")";
  if (!text.empty() && text.front() == '-' && isDigits(text.substr(1)))
    return "static_cast<" + type + ">(" + std::string(text) + ")";
  return isDigits(text) && (text.size() == 1 || text.front() != '0') ? std::string(text) : "";
}

std::string conditionOf(const PtxInstruction& setp) {
  if (setp.parts.size() != 3 || setp.operands.size() != 3) return "";
  for (const Comparison& one : comparisons) {
    if (one.name != setp.parts[1]) continue;
    const std::string type = typeOf(setp.parts[2], one.isUnsigned);
    std::string left = valueOf(setp.operands[1], type);
    const std::string right = valueOf(setp.operands[2], type);
    if (type.empty() || left.empty() || right.empty()) return "";
    return left.append(" ").append(one.sign).append(" ").append(right);
  }
  return "";
}

}  // namespace

void PtxPredicates::follow(const PtxInstruction& instruction) {
  if (instruction.operands.empty()) return;
  const auto forget = [&](std::string_view name) {
    if (const auto known = conditions_.find(trimmed(name)); known != conditions_.end())
      conditions_.erase(known);
  };
  if (instruction.parts.size() > 1 &&
      instruction.parts[1] == "reg") {  // `.reg .pred p, q`: of an inner scope
    for (const std::string_view operand : instruction.operands)
      forget(operand.substr(operand.find_last_of(" \t\r\n") + 1));
    return;
  }
  for (const std::string_view target : split(instruction.operands[0], '|')) forget(target);
  if (instruction.parts[0] != "setp" || !instruction.guard.empty()) return;
  if (std::string condition = conditionOf(instruction); !condition.empty())
    conditions_.emplace(instruction.operands[0], std::move(condition));
}

std::string PtxPredicates::condition(std::string_view predicate) const {
  const bool negated = !predicate.empty() && predicate.front() == '!';
  const auto known = conditions_.find(trimmed(predicate.substr(negated ? 1 : 0)));
  if (known == conditions_.end()) return "";
  return negated ? "!(" + known->second + ")" : known->second;
}

}  // namespace cui::constructs
