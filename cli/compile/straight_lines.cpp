#include "cli/compile/straight_lines.h"

#include <algorithm>
#include <array>
#include <utility>

#include "cli/compile/control_flow.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

/// Assembly of the program's stays where it is, but for that without instructions.
constexpr std::string_view beginOfAssembly = "begin inline asm", endOfAssembly = "end inline asm";

/// What says when it is run.
bool asksForTime(std::string_view line) {
  return mentions(line, "%clock") || mentions(line, "%globaltimer");
}

/// `ld` and `st` of memory that nobody waits for, with how many words and their type: not `ld.volatile`, nor
/// `ld.global.acquire`.
bool isPlain(std::string_view operation, std::string_view name) {
  if (takeUpTo(operation, ".") != name) return false;
  const std::string_view space = takeUpTo(operation, ".");
  if (space != "global" && space != "shared" && space != "const") return false;
  for (const std::string_view also : {"nc.", "v2.", "v4."})
    if (operation.starts_with(also)) operation.remove_prefix(also.size());
  return !mentions(operation, ".");
}

}  // namespace

bool onlyComputes(std::string_view operation) {
  constexpr std::array<std::string_view, 31> names = {
      "add",  "sub", "mul", "mad", "fma",   "div",  "rem", "neg",  "abs", "cvt",  "cvta",
      "shl",  "shr", "shf", "and", "or",    "xor",  "not", "min",  "max", "lop3", "prmt",
      "popc", "clz", "bfe", "bfi", "bfind", "brev", "mov", "selp", "setp"};
  return isOneOf(names, nameOf(operation));
}

StraightLines::StraightLines(const std::vector<std::string_view>& lines) : lines_(lines) {
  for (const std::string_view line : lines_)
    for (std::size_t at = line.find('$'); at != std::string_view::npos; at = line.find('$', at + 1))
      if (at != 0) ++mentions_[nameBeginningAt(line, at)];
}

bool StraightLines::isNeedless(std::string_view line) const {
  if (line.starts_with("$")) return mentions_.count(nameBeginningAt(line, 0)) == 0;
  if (mentions(line, "{") || mentions(line, "}") || mentions(line, beginOfAssembly)) return false;
  return operationOf(line).empty() || operationOf(line).starts_with("//") || line.starts_with("\t.loc");
}

std::size_t StraightLines::next(std::size_t line) const {
  const auto skip = [this](std::size_t at) {
    for (; at < lines_.size(); ++at) {
      const bool empty = mentions(lines_[at], beginOfAssembly) && at + 1 < lines_.size() &&
                         mentions(lines_[at + 1], endOfAssembly);
      if (!empty && !isNeedless(lines_[at])) break;
    }
    return at;
  };
  line = skip(line);
  while (line < lines_.size() && operationOf(lines_[line]) == "bra.uni" && !mentions(lines_[line], "@")) {
    const std::string_view label = nameBeginningAt(lines_[line], lines_[line].find('$'));
    const std::size_t at = skip(line + 1);
    const auto mentioned = mentions_.find(label);
    if (at == lines_.size() || !lines_[at].starts_with(std::string(label) + ":") ||
        mentioned == mentions_.end() || mentioned->second != 1)
      break;
    line = skip(at + 1);
  }
  return line;
}

CallsTogether::CallsTogether(const StraightLines& straight, const AccessCall& first)
    : straight_(&straight), calls_({&first}), inFront_(settingOperands(first)) {}

bool CallsTogether::add(const AccessCall& next) {
  CallsTogether more(*this);
  for (std::size_t i = straight_->next(calls_.back()->last + 1); i != next.first; i = straight_->next(i + 1))
    if (i > next.first || !more.take(straight_->lines()[i])) return false;
  if (!more.takeOperands(next)) return false;
  *this = std::move(more);
  return true;
}

std::vector<std::string_view> CallsTogether::settingOperands(const AccessCall& call) const {
  std::vector<std::string_view> lines;
  for (std::size_t i = call.first; i < call.last; ++i)
    if (onlyComputes(operationOf(straight_->lines()[i]))) lines.push_back(straight_->lines()[i]);
  return lines;
}

bool CallsTogether::takeOperands(const AccessCall& call) {
  const std::vector<std::string_view> lines = settingOperands(call);
  if (!std::all_of(lines.begin(), lines.end(), [this](std::string_view line) { return take(line); }))
    return false;
  calls_.push_back(&call);
  return std::none_of(call.operands.begin(), call.operands.end(),
                      [this](std::string_view operand) { return late_.count(operand) != 0; });
}

bool CallsTogether::take(std::string_view line) {
  const std::string_view operation = operationOf(line);
  if (mentions(line, "@") || mentions(line, "{") || asksForTime(line)) return false;
  const bool stores = isPlain(operation, "st"), loads = isPlain(operation, "ld");
  if (!stores && !loads && !onlyComputes(operation)) return false;
  std::string_view sources = operandsOf(line, operation);
  const std::string_view target = stores ? std::string_view() : takeUpTo(sources, ", ");
  bool isLate = stores || loads;
  forEachRegister(sources, [&](std::string_view name) { isLate = isLate || late_.count(name) != 0; });
  if (isOperand(target) || (!isLate && named_.count(target) != 0)) return false;
  if (!isLate) {
    inFront_.push_back(line);
    return true;
  }
  if (!stores) late_.insert(target);
  forEachRegister(line, [this](std::string_view name) { named_.insert(name); });
  behind_.push_back(line);
  return true;
}

bool CallsTogether::isOperand(std::string_view name) const {
  return std::any_of(calls_.begin(), calls_.end(), [name](const AccessCall* call) {
    return std::find(call->operands.begin(), call->operands.end(), name) != call->operands.end();
  });
}

}  // namespace cui::cli
