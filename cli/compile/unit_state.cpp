#include "cli/compile/unit_state.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "cuinstrument/format/access_key.h"

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

/// An instruction, without a predicate, on a line of its own, as cicc writes it.
struct StateInstruction {
  std::string_view operation, target, left, right;

  explicit StateInstruction(std::string_view line) {
    if (line.substr(0, 1) != "\t") return;
    line.remove_prefix(1);
    operation = takeUpTo(line, " ");
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find(';'));
    target = takeUpTo(line, ", ");
    left = takeUpTo(line, ", ");
    right = line;
  }
};

/// Whose instructions they are.
enum class Mode { profiled, traced, others };

/// The same where the mode is known, and whether the block is recorded; barriers are not. In a profile all
/// blocks are recorded.
class InstructionsInMode {
 public:
  InstructionsInMode(std::string_view text, std::string_view state, Mode mode)
      : state_(state), profiled_(mode == Mode::profiled), recorded_(mode != Mode::others) {
    while (!text.empty()) {
      const StateInstruction one(takeUpTo(text, "\n"));
      if (one.operation.empty()) continue;
      ++settings_[one.target];
      if (const std::optional<unsigned> at = wordOf(one)) ++loads_[{one.target, *at}];
    }
    for (const auto& [load, count] : loads_)
      if (settings_[load.first] == count) words_.emplace(load.first, load.second);
  }

  std::string answered(std::string_view line) {
    const StateInstruction one(line);
    const std::optional<std::string> answer = one.operation == "ld.const.u32"      ? loaded(one)
                                              : one.operation == "mov.u32"         ? moved(one)
                                              : one.operation == "and.b32"         ? bitsOf(one)
                                              : one.operation.starts_with("setp.") ? compared(one)
                                                                                   : std::nullopt;
    return answer.value_or(std::string(line));
  }

 private:
  static std::string set(std::string_view type, std::string_view target, const char* value) {
    return "\tmov." + std::string(type) + " \t" + std::string(target) + ", " + value + ";";
  }
  /// Which word it loads.
  std::optional<unsigned> wordOf(const StateInstruction& one) const {
    const std::string begin = "[" + std::string(state_) + "+";
    if (one.operation != "ld.const.u32" || !one.left.starts_with(begin)) return std::nullopt;
    return static_cast<unsigned>(
        std::strtoul(std::string(one.left.substr(begin.size())).c_str(), nullptr, 10));
  }
  std::optional<std::string> loaded(const StateInstruction& one) const {
    if (wordOf(one) != format::notesBarriersAt) return std::nullopt;
    return set("u32", one.target, "0");
  }
  std::optional<std::string> moved(const StateInstruction& one) {
    if (is(one.left, format::firstKeyAt) && settings_[one.target] == 1)
      words_.emplace(one.target, format::firstKeyAt);
    return std::nullopt;
  }
  std::optional<std::string> bitsOf(const StateInstruction& one) const {
    const auto mask = static_cast<unsigned>(std::strtoll(std::string(one.right).c_str(), nullptr, 10));
    if (!is(one.left, format::firstKeyAt) || mask == 0 || (mask & ~format::modeBits) != 0)
      return std::nullopt;
    return set("u32", one.target, profiled_ && (mask & format::profileBit) != 0 ? "-2147483648" : "0");
  }
  /// A profile's mode has the highest bit, and so has the number that all blocks' orders are below.
  std::optional<std::string> compared(const StateInstruction& one) const {
    const bool left = is(one.left, format::recordedBlocksAt), right = is(one.right, format::recordedBlocksAt);
    const std::string_view order = one.operation.substr(0, one.operation.rfind('.'));
    const std::string_view type = one.operation.substr(order.size());
    if ((left && profiled_) || is(one.left, format::firstKeyAt)) {
      if (one.operation == "setp.lt.s32" && one.right == "0")
        return set("pred", one.target, profiled_ ? "-1" : "0");
      if (one.operation == "setp.gt.s32" && one.right == "-1")
        return set("pred", one.target, profiled_ ? "0" : "-1");
    }
    if (left && profiled_ && one.right == "0" && order == "setp.eq") return set("pred", one.target, "0");
    if (left && profiled_ && one.right == "0" && order == "setp.ne") return set("pred", one.target, "-1");
    if (left == right || type != ".u32") return std::nullopt;
    const bool isOrder = (right ? one.left : one.right).starts_with("%");
    if (!isOrder && !profiled_) return std::nullopt;
    if (order == (right ? "setp.lt" : "setp.gt")) return set("pred", one.target, recorded_ ? "-1" : "0");
    if (order == (right ? "setp.ge" : "setp.le")) return set("pred", one.target, recorded_ ? "0" : "-1");
    return std::nullopt;
  }
  bool is(std::string_view operand, unsigned word) const {
    const auto found = words_.find(operand);
    return found != words_.end() && found->second == word;
  }

  std::string_view state_;
  bool profiled_, recorded_;
  std::unordered_map<std::string_view, unsigned> settings_;  ///< of registers: by how many instructions
  std::map<std::pair<std::string_view, unsigned>, unsigned> loads_;  ///< how many of these load which word
  std::unordered_map<std::string_view, unsigned> words_;             ///< registers that hold one of it
};

template <class Instructions>
std::string answered(std::string_view text, Instructions instructions) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) result.append(instructions.answered(takeUpTo(text, "\n"))).append("\n");
  return result;
}

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
  return state.name.empty() ? std::string(text) : answered(text, Instructions(state.name));
}

std::string inProfiles(std::string_view text, const UnitState& state) {
  return state.name.empty() ? std::string(text)
                            : answered(text, InstructionsInMode(text, state.name, Mode::profiled));
}

std::string inTraces(std::string_view text, const UnitState& state, bool recorded) {
  const Mode mode = recorded ? Mode::traced : Mode::others;
  return state.name.empty() ? std::string(text) : answered(text, InstructionsInMode(text, state.name, mode));
}

}  // namespace cui::cli
