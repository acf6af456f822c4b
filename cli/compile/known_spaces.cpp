#include "cli/compile/known_spaces.h"

#include <array>
#include <cstddef>
#include <set>
#include <unordered_map>
#include <vector>

#include "cli/compile/access_calls.h"
#include "cli/compile/control_flow.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/unit_state.h"
#include "cuinstrument/format/access_key.h"

namespace cui::cli {
namespace {

/// What a register's value may be: a number, which leads nowhere, or a pointer to any of these.
using Targets = unsigned;
constexpr Targets noPointer = 0, sharedMemory = 1, globalMemory = 2, anything = 4;

/// What sets a register: `add.s64 %rd3, %rd1, %rd2`.
struct Setting {
  std::string_view operation, result;
  std::string_view others;  ///< results, where there are several: `{%rd1, %rd2`
  std::vector<std::string_view> operands;
};

Setting settingOf(std::string_view text) {
  Setting one;
  one.operation = operationOf(text);
  if (one.operation.empty()) return one;
  std::string_view rest = operandsOf(text, one.operation);
  if (rest.starts_with("{")) one.others = takeUpTo(rest, "}");
  one.result = takeUpTo(rest, ", ");
  while (!rest.empty()) one.operands.push_back(takeUpTo(rest, ", "));
  return one;
}

bool isSum(std::string_view operation) {
  return operation == "add.s64" || operation == "add.u64" || operation == "mad.wide.s32" ||
         operation == "mad.wide.u32" || operation == "mad.lo.s64";
}
/// Their results are no pointers, whatever they are made of.
bool makesNumbers(std::string_view operation) {
  constexpr std::array<std::string_view, 5> names = {"shl", "shr", "mul", "cvt", "setp"};
  const std::string_view name = nameOf(operation);
  for (const std::string_view one : names)
    if (name == one) return true;
  return operation.starts_with("cvta.to.");
}

/// Where a kernel's 64-bit registers lead.
class Pointers {
 public:
  explicit Pointers(std::string_view body) {
    for (std::string_view rest = body; !rest.empty();) {
      std::string_view line = takeUpTo(rest, "\n");
      while (!line.empty()) add(settingOf(takeUpTo(line, ";")));
    }
    for (bool changes = true; changes;) {
      changes = false;
      for (const Setting& one : settings_) {
        Targets& known = targets_[one.result];
        const Targets found = known | resultOf(one);
        changes |= found != known;
        known = found;
      }
    }
  }

  /// Of one that nothing is known to set: anything.
  Targets operator[](std::string_view value) const {
    if (!value.starts_with("%"))
      return numberIn(value.substr(value.starts_with("-") ? 1 : 0)) ? noPointer : anything;
    const auto found = targets_.find(value);
    return found == targets_.end() ? anything : found->second;
  }
  bool isZero(std::string_view value) const { return zeros_.count(value) != 0; }

 private:
  void add(Setting one) {
    forEachWord(one.others, [this](std::string_view, std::string_view word) { targets_[word] |= anything; });
    if (one.result.empty() || !one.result.starts_with("%")) return;
    if (one.operation == "cvta.to.global.u64" && one.operands.size() == 1) asGlobal_.insert(one.operands[0]);
    const bool isZeroNow = one.operation == "mov.u64" && one.operands.size() == 1 && one.operands[0] == "0";
    if (targets_.emplace(one.result, noPointer).second && isZeroNow)
      zeros_.insert(one.result);
    else if (!isZeroNow)
      zeros_.erase(one.result);
    settings_.push_back(std::move(one));
  }

  Targets resultOf(const Setting& one) const {
    if (one.operation == "cvta.shared.u64") return sharedMemory;
    if (one.operation == "cvta.global.u64") return globalMemory;
    if (one.operation == "ld.param.u64") return asGlobal_.count(one.result) != 0 ? globalMemory : anything;
    if (makesNumbers(one.operation)) return noPointer;
    if (isSum(one.operation)) {
      // A product is a number; of two pointers nothing is known.
      const std::size_t count = one.operands.size();
      const Targets base = count == 0 ? anything : (*this)[one.operands[count - 1]];
      if (count != 2) return count == 3 ? base : anything;
      const Targets other = (*this)[one.operands[0]];
      return base != noPointer && other != noPointer ? anything : base | other;
    }
    if (one.operation == "sub.s64" && one.operands.size() == 2)
      return (*this)[one.operands[1]] == noPointer ? (*this)[one.operands[0]] : anything;
    if (one.operation == "selp.b64" && one.operands.size() == 3)
      return (*this)[one.operands[0]] | (*this)[one.operands[1]];
    if ((one.operation == "mov.u64" || one.operation == "mov.b64") && one.operands.size() == 1 &&
        !one.operands[0].starts_with("{"))
      return (*this)[one.operands[0]];
    return anything;
  }

  std::vector<Setting> settings_;
  std::unordered_map<std::string_view, Targets> targets_;
  std::set<std::string_view> asGlobal_, zeros_;
};

/// `isspacep.shared %p1, %rd1;`, if the answer is known, as what sets the predicate to it; else empty.
std::string answerTo(std::string_view line, const Pointers& pointers) {
  const std::string_view operation = operationOf(line);
  constexpr std::string_view question = "isspacep.";
  if (!operation.starts_with(question) || mentions(line, "@")) return {};
  std::string_view rest = operandsOf(line, operation);
  const std::string_view result = takeUpTo(rest, ", "), pointer = takeUpTo(rest, ";");
  const std::string_view space = operation.substr(question.size());
  const Targets targets = pointers[pointer];
  bool answer = false;
  if (targets == sharedMemory)
    answer = space == "shared";
  else if (targets == globalMemory)
    answer = space == "global";
  else if (!pointers.isZero(pointer) || space != "local")
    return {};
  return "\tmov.pred \t" + std::string(result) + ", " + (answer ? "-1" : "0") + ";";
}

std::string withAnswers(std::string_view body, std::string_view zeroWord) {
  const Pointers pointers(body);
  std::string result;
  for (std::string_view rest = body; !rest.empty();) {
    const bool isLast = rest.find('\n') == std::string_view::npos;
    const std::string_view line = takeUpTo(rest, "\n"), operation = operationOf(line);
    std::string answer = answerTo(line, pointers);
    if (operation == "ld.const.u32" && line.ends_with(zeroWord)) {
      std::string_view operands = operandsOf(line, operation);
      answer = "\tmov.u32 \t" + std::string(takeUpTo(operands, ", ")) + ", 0;";
    }
    result.append(answer.empty() ? line : std::string_view(answer)).append(isLast ? "" : "\n");
  }
  return result;
}

}  // namespace

std::string withKnownSpaces(std::string_view ptx) {
  const UnitState state = stateOf(ptx);
  if (state.name.empty() || !mentions(ptx, "isspacep.")) return std::string(ptx);
  const std::string zeroWord = "[" + std::string(state.name) + "+" + std::to_string(format::zeroAt) + "];";
  return withBodies(ptx, kernelDirective, [&](std::string_view, std::string_view body) {
    return mentions(body, "isspacep.") ? withAnswers(body, zeroWord) : std::string(body);
  });
}

}  // namespace cui::cli
