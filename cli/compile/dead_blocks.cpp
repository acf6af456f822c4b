#include "cli/compile/dead_blocks.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cli/compile/control_flow.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

using Number = std::optional<std::uint64_t>;

/// An instruction, on a line of its own: what it does to what.
struct Instruction {
  std::string_view line, operation, predicate, operands;
};

Instruction instructionOn(std::string_view line) {
  Instruction result{line, operationOf(line), {}, {}};
  if (result.operation.empty()) return result;
  const auto at = static_cast<std::size_t>(result.operation.data() - line.data());
  if (const std::size_t sign = line.substr(0, at).find('@'); sign != std::string_view::npos)
    result.predicate = line.substr(sign + 1, line.find_first_of(" \t", sign) - sign - 1);
  const std::size_t begin = line.find_first_not_of(" \t", at + result.operation.size());
  if (begin != std::string_view::npos) result.operands = line.substr(begin, line.find(';', begin) - begin);
  return result;
}

/// The bits of what an instruction works on: 32 of `setp.ge.u32`; 0 of what this does not compute with.
unsigned bitsOf(std::string_view operation) {
  const std::string_view type = operation.substr(operation.rfind('.') + 1);
  if (type == "pred") return 1;
  if (type.size() != 3 || !mentions("usb", type.substr(0, 1))) return 0;
  return type.substr(1) == "16" ? 16 : type.substr(1) == "32" ? 32 : type.substr(1) == "64" ? 64 : 0;
}
std::uint64_t inBits(std::uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}
std::int64_t signedOf(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

template <class T>
Number compared(std::string_view order, T a, T b) {
  if (order == "eq") return a == b;
  if (order == "ne") return a != b;
  if (order == "lt" || order == "lo") return a < b;
  if (order == "le" || order == "ls") return a <= b;
  if (order == "gt" || order == "hi") return a > b;
  if (order == "ge" || order == "hs") return a >= b;
  return std::nullopt;
}

/// Nothing behind it is reached. Behind `trap;`, which __trap() is in inline assembly, is the end of that.
bool leavesBlock(std::string_view line, std::string_view operation) {
  return operation != "trap" && endsBlock(line, operation);
}

/// A function's instructions, and which registers are known to hold one number, wherever they are set.
class Body {
 public:
  explicit Body(std::string_view text) {
    bool assembly = false;
    while (!text.empty()) {
      const std::string_view line = takeUpTo(text, "\n");
      if (mentions(line, "end inline asm")) assembly = false;
      lines_.push_back(instructionOn(line));
      const Instruction& one = lines_.back();
      isKnown_ =
          isKnown_ && !mentions(line, "branchtargets") && !one.operation.starts_with("brx") &&
          (!one.operation.starts_with("bra") || isBranch(one)) &&
          !(assembly && (leavesBlock(line, one.operation) || mentions(line, "bra") || namesPlace(line)));
      if (mentions(line, "begin inline asm")) assembly = true;
      countSettings(one);
    }
  }

  std::string withoutDead() {
    for (bool changed = isKnown_; changed;) {
      changed = false;
      for (const Instruction& one : lines_) changed |= learn(one);
    }
    if (!isKnown_ || numbers_.empty()) return text(false);
    findLive();
    return text(true);
  }

 private:
  static bool isLabel(std::string_view line) {
    return line.starts_with("$") && line.find(':') != std::string_view::npos;
  }
  static bool isBranch(const Instruction& one) {
    return one.operation == "bra" || one.operation == "bra.uni";
  }

  /// In inline assembly: `again:`, but not `shared::cta`.
  static bool namesPlace(std::string_view line) {
    const std::size_t colon = line.find(':');
    return colon != std::string_view::npos && (colon + 1 == line.size() || line[colon + 1] != ':');
  }

  void addSettings(std::string_view text, unsigned times) {
    for (std::size_t at = 0; (at = text.find('%', at)) != std::string_view::npos;) {
      const std::size_t end = std::min(text.find_first_of(" \t,;|[]{}()+", at), text.size());
      settings_[text.substr(at, end - at)] += times;
      at = end;
    }
  }
  /// Of the first operand, or of all where more than one instruction is on the line.
  void countSettings(const Instruction& one) {
    if (one.operation.empty() || one.operation.starts_with(".") || one.operation.starts_with("//")) return;
    if (std::count(one.line.begin(), one.line.end(), ';') > 1) return addSettings(one.line, 2);
    if (one.operation.starts_with("st.") || isBranch(one)) return;
    const std::size_t group = one.operands.starts_with("{") ? one.operands.find('}') : 0;
    addSettings(one.operands.substr(0, one.operands.find(',', group == std::string_view::npos ? 0 : group)),
                1);
  }

  Number numberOf(std::string_view operand) const {
    if (operand.starts_with("%")) {
      const auto found = numbers_.find(operand);
      return found == numbers_.end() ? std::nullopt : Number(found->second);
    }
    const bool negative = operand.starts_with("-");
    operand.remove_prefix(negative ? 1 : 0);
    std::uint64_t value = 0;
    const auto [stopped, error] = std::from_chars(operand.data(), operand.data() + operand.size(), value);
    if (operand.empty() || stopped != operand.data() + operand.size() || error != std::errc())
      return std::nullopt;
    return negative ? 0 - value : value;
  }

  /// What it sets its first operand to, if that is known.
  Number result(std::string_view operation, const std::array<std::string_view, 4>& operands) const {
    const unsigned bits = bitsOf(operation);
    if (bits == 0) return std::nullopt;
    const Number a = numberOf(operands[1]), b = numberOf(operands[2]);
    const auto either = [&](std::uint64_t value) {
      return (a && inBits(*a, bits) == value) || (b && inBits(*b, bits) == value);
    };
    const std::uint64_t ones = inBits(~std::uint64_t{0}, bits);
    if (operation.starts_with("mov.")) return a;
    if (operation.starts_with("and.")) return either(0) ? 0 : a && b ? Number(*a & *b) : std::nullopt;
    if (operation.starts_with("or.")) return either(ones) ? ones : a && b ? Number(*a | *b) : std::nullopt;
    if (operation.starts_with("not.")) return a ? Number(~*a) : std::nullopt;
    if (operation.starts_with("selp.")) {
      if (a && b && *a == *b) return a;
      const Number chosen = numberOf(operands[3]);
      return !chosen ? std::nullopt : (*chosen & 1) != 0 ? a : b;
    }
    if (operation.starts_with("setp.") && std::count(operation.begin(), operation.end(), '.') == 2 && a &&
        b) {
      const std::string_view order = operation.substr(5, operation.rfind('.') - 5);
      if (operation[operation.rfind('.') + 1] == 's')
        return compared(order, signedOf(inBits(*a, bits), bits), signedOf(inBits(*b, bits), bits));
      return compared(order, inBits(*a, bits), inBits(*b, bits));
    }
    return std::nullopt;
  }

  bool learn(const Instruction& one) {
    if (!one.predicate.empty() || !one.operands.starts_with("%")) return false;
    std::array<std::string_view, 4> operands;
    std::string_view rest = one.operands;
    for (std::string_view& operand : operands) operand = takeUpTo(rest, ", ");
    const auto settings = settings_.find(operands[0]);
    if (!rest.empty() || settings == settings_.end() || settings->second != 1 ||
        numbers_.count(operands[0]) != 0)
      return false;
    const Number number = result(one.operation, operands);
    if (number)
      numbers_.emplace(operands[0],
                       inBits(*number, one.operation.starts_with("setp.") ? 1 : bitsOf(one.operation)));
    return number.has_value();
  }

  /// Whether a branch is taken, where that is known.
  std::optional<bool> isTaken(const Instruction& one) const {
    if (one.predicate.empty()) return true;
    const bool negated = one.predicate.starts_with("!");
    const Number value = numberOf(one.predicate.substr(negated ? 1 : 0));
    return value ? std::optional((*value != 0) != negated) : std::nullopt;
  }

  void findLive() {
    std::unordered_map<std::string_view, std::size_t> labels;
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (isLabel(lines_[i].line)) labels.emplace(lines_[i].line.substr(0, lines_[i].line.find(':')), i);
    live_.resize(lines_.size());
    std::vector<std::size_t> open = {0};
    while (!open.empty()) {
      std::size_t at = open.back();
      open.pop_back();
      for (; at < lines_.size() && !live_[at]; ++at) {
        live_[at] = true;
        const Instruction& one = lines_[at];
        if (!isBranch(one)) {
          if (leavesBlock(one.line, one.operation)) break;
          continue;
        }
        const std::optional<bool> taken = isTaken(one);
        if (const auto label = labels.find(one.operands); taken.value_or(true) && label != labels.end())
          open.push_back(label->second);
        if (taken.value_or(false)) break;
      }
    }
  }

  std::string text(bool onlyLive) const {
    std::string result;
    std::size_t end = lines_.size();  // of the body: other braces are those of assembly
    while (end > 0 && lines_[end - 1].line != "}") --end;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Instruction& one = lines_[i];
      // Other labels are a debugger's.
      const bool stays =
          !onlyLive || live_[i] || i + 1 == end || (isLabel(one.line) && !one.line.starts_with("$L__BB"));
      if (!stays) continue;
      if (onlyLive && isBranch(one) && !one.predicate.empty())
        if (const std::optional<bool> taken = isTaken(one)) {
          if (*taken) result.append("\tbra.uni \t").append(one.operands).append(";\n");
          continue;
        }
      result.append(one.line).append(i + 1 == lines_.size() ? "" : "\n");
    }
    return result;
  }

  std::vector<Instruction> lines_;
  std::unordered_map<std::string_view, unsigned> settings_;  ///< of registers: by how many instructions
  std::unordered_map<std::string_view, std::uint64_t> numbers_;
  std::vector<bool> live_;
  bool isKnown_ = true;
};

}  // namespace

std::string withoutDeadBlocks(std::string_view body) {
  return Body(body).withoutDead();
}

}  // namespace cui::cli
