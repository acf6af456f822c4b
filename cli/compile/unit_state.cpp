#include "cli/compile/unit_state.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

namespace cui::cli {
namespace {

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// Looks at a function's instructions, of which each is on a line of its own, as cicc writes them.
class Instructions {
 public:
  explicit Instructions(std::string_view state) : state_(state) {}

  /// The instruction without a question to the unit's state, which is all zeros.
  std::string answered(std::string_view line) {
    if (line == "}") zeros_.clear();  // registers are the function's own
    const std::size_t begin = line.find_first_not_of('\t');
    if (begin == std::string_view::npos) return std::string(line);
    std::string_view rest = line.substr(begin);
    const std::string_view operation = takeUpTo(rest, " ");
    rest.remove_prefix(std::min(rest.find_first_not_of('\t'), rest.size()));
    if (operation == "ld.const.u32" || operation == "ld.const.u64") {
      const std::string target(takeUpTo(rest, ", ["));
      if (rest.substr(0, state_.size()) != state_) return std::string(line);
      zeros_.insert(target);
      // Half a word can be loaded to a whole one.
      return (target.substr(0, 3) == "%rd" ? "\tmov.u64 \t" : "\tmov.u32 \t") + target + ", 0;";
    }
    if (operation.substr(0, 5) == "setp.") return compared(operation, rest).value_or(std::string(line));
    return std::string(line);
  }

 private:
  /// ptxas does not see that no number is below 0.
  std::optional<std::string> compared(std::string_view operation, std::string_view operands) const {
    const std::string_view target = takeUpTo(operands, ", "), left = takeUpTo(operands, ", "),
                           right = takeUpTo(operands, ";");
    const std::size_t dot = operation.rfind('.');
    const std::string_view type = operation.substr(dot), order = operation.substr(0, dot);
    if (type != ".u32" && type != ".u64") return std::nullopt;
    const auto says = [&](std::string_view zero, std::string_view how) {
      return zeros_.count(std::string(zero)) == 0
                 ? std::nullopt
                 : std::optional("\tsetp." + std::string(how) + std::string(type) + " \t" +
                                 std::string(target) + ", " + std::string(zero) + ", 0;");
    };
    if (order == "setp.lt") return says(right, "ne");
    if (order == "setp.ge") return says(right, "eq");
    if (order == "setp.gt") return says(left, "ne");
    if (order == "setp.le") return says(left, "eq");
    return std::nullopt;
  }

  std::string_view state_;
  std::set<std::string> zeros_;  ///< registers that hold a word of it
};

}  // namespace

std::string_view takeUpTo(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  return taken;
}

UnitState stateOf(std::string_view ptx) {
  constexpr std::string_view begin = "\n.const ", end = "9unitStateE";
  for (std::size_t at = 0; (at = ptx.find(begin, at)) != std::string_view::npos; at += begin.size()) {
    std::string_view line = ptx.substr(at + begin.size());
    const std::string_view declared = takeUpTo(line, "["), name = declared.substr(declared.rfind(' ') + 1);
    if (name.find("3cui") != std::string_view::npos && endsWith(name, end))
      return {name, std::strtoul(std::string(takeUpTo(line, "]")).c_str(), nullptr, 10)};
  }
  return {};
}

std::string withoutQuestions(std::string_view text, const UnitState& state) {
  if (state.name.empty()) return std::string(text);
  std::string result;
  result.reserve(text.size());
  Instructions instructions(state.name);
  while (!text.empty()) result.append(instructions.answered(takeUpTo(text, "\n"))).append("\n");
  return result;
}

}  // namespace cui::cli
