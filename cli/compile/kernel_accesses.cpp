#include "cli/compile/kernel_accesses.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "cli/compile/lean_kernels.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/ptx_text.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/profile.h"

namespace cui::cli {
namespace {

/// Of a key.
constexpr unsigned spaceMask = (1u << format::keyShift) - 1;

/// Whether it says that the accesses that follow are recorded in front of their loop, nearly always.
bool saysBesideLoop(std::string_view line, CallMode mode) {
  return mentions(line, besideLoop) || (mode == CallMode::profiled && mentions(line, "cuiUnlessTold"));
}

/// Loads that nobody waits for, and instructions that only compute.
constexpr std::array<std::string_view, 4> plainLoads = {"ld.global", "ld.global.nc", "ld.shared", "ld.const"};
constexpr std::array<std::string_view, 16> computing = {"add",  "sub",  "mul", "mad", "cvt", "cvta",
                                                        "shl",  "shr",  "and", "or",  "xor", "mov",
                                                        "selp", "setp", "min", "max"};

/// Their addresses are all kept until the last.
constexpr std::size_t mostTogether = 4;

constexpr unsigned mostOffset = (1u << format::offsetBits) - 1;

/// Whether it sets a register to something with as many zeros below as a place in shared memory has bits.
bool isAboveOffsets(std::string_view line) {
  const std::string_view operation = operationOf(line);
  const std::string product = ", " + std::to_string(1u << format::offsetBits) + ";";
  return operation == "shl.b64" || (operation == "mul.wide.u32" && line.ends_with(product));
}

/// As many as there may be, of the small ones, which cost least each; in their order.
std::string smallestOf(const std::vector<std::string>& kernels, std::size_t room) {
  std::vector<std::size_t> order(kernels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(kernels[a].size(), a) < std::pair(kernels[b].size(), b);
  });
  const auto end = std::find_if(order.begin(), order.end(), [&](std::size_t i) {
    if (kernels[i].size() > room) return true;
    room -= kernels[i].size();
    return false;
  });
  std::sort(order.begin(), end);
  std::string text;
  std::for_each(order.begin(), end, [&](std::size_t i) { text += kernels[i]; });
  return text;
}

bool isEnd(std::string_view operation) {
  return operation == "ret" || operation == "exit";
}

}  // namespace

format::Space KnownAccess::space() const {
  return static_cast<format::Space>(key.value_or(0) & spaceMask);
}

bool KernelAccesses::read(CallMode mode) {
  bool known = true;
  flow_.read(body_, [&](std::string_view line, std::string_view operation, std::size_t block) {
    blocks_.emplace(line.data(), block);
    if (saysBesideLoop(line, mode)) besides_.insert(block);
    // What only some lanes do would be an end for these alone.
    known = known && !(isEnd(operation) && mentions(line, "@")) && !operation.starts_with("brx") &&
            !mentions(line, ".callprototype");
    return known;
  });
  if (!known) return false;
  for (std::string_view rest = body_; !rest.empty();) lines_.push_back(takeUpTo(rest, "\n"));
  calls_ = callsIn(lines_);
  findKeys();
  // Traces' calls are of accesses, too: where inline assembly ends the kernel, they are still there.
  for (const AccessCall& call : calls_)
    if (!call.isOfAccesses())
      for (const std::string_view operand : call.operands)
        if (const auto key = keys_.find(operand); key != keys_.end()) inFront_.insert(key->second);
  return true;
}

void KernelAccesses::findKeys() {
  const std::string firstKey =
      "[" + std::string(state_.name) + "+" + std::to_string(format::firstKeyAt) + "];";
  std::map<std::string_view, unsigned> first;  // registers with the first key: by how many loads of it
  for (const std::string_view line : lines_) {
    const std::string_view operation = operationOf(line);
    if (operation.empty() || operation.starts_with("st.")) continue;
    std::string_view rest = cli::operandsOf(line, operation);
    const std::string_view target = takeUpTo(rest, ", ");
    ++settings_[target];
    setBy_[target] = line;
    if (operation == "cvt.u64.u32") narrow_.insert(target);
    if (operation == "ld.const.u32" && rest == firstKey) ++first[target];
  }
  for (const std::string_view line : lines_) {
    const std::string_view operation = operationOf(line);
    if (operation != "add.s32") continue;
    std::string_view rest = cli::operandsOf(line, operation);
    const std::string_view target = takeUpTo(rest, ", "), left = takeUpTo(rest, ", ");
    const std::optional<unsigned> right = numberIn(takeUpTo(rest, ";"));
    if (right && first.count(left) != 0 && first[left] == settings_[left] && settings_[target] == 1)
      keys_.emplace(target, *right);
  }
}

bool KernelAccesses::isBesideLoop(const AccessCall& call) const {
  // Between what says so and the call may be a question that has been answered.
  for (std::optional<std::size_t> block = blockOf(call); block; block = flow_.ledInFrom(*block))
    if (besides_.count(*block) != 0) return true;
  return false;
}

KnownAccess KernelAccesses::access(const AccessCall& call, unsigned which) const {
  const auto key = keys_.find(call.key(which));
  return {key == keys_.end() ? std::nullopt : std::optional(key->second), call.bytes(which)};
}

std::string KernelAccesses::placeOf(std::string_view address) const {
  std::string_view word = address;
  for (int step = 0;; ++step) {
    const auto set = setBy_.find(word);
    if (set == setBy_.end() || settings_.at(word) != 1 || step == 4) return std::string(word);
    const std::string_view operation = operationOf(set->second);
    std::string_view rest = cli::operandsOf(set->second, operation);
    takeUpTo(rest, ", ");
    // Above the lower half may stand for how many blocks it is (ADR 0015).
    if (operation == "or.b64") {
      const std::string_view left = takeUpTo(rest, ", "), right = takeUpTo(rest, ";");
      const auto above = setBy_.find(left);
      const bool isAbove = above != setBy_.end() && isAboveOffsets(above->second);
      word = isAbove ? right : left;
    } else if (operation == "cvt.u64.u32") {
      word = takeUpTo(rest, ";");
    } else if (operation == "and.b32" && rest.ends_with(", " + std::to_string(mostOffset) + ";")) {
      word = takeUpTo(rest, ", ");  // of the cluster's shared memory, the block's own (sharedOffset())
    } else {
      return std::string(operation).append(" ").append(rest);
    }
  }
}

bool KernelAccesses::isNarrow(std::string_view address) const {
  const auto set = settings_.find(address);
  return narrow_.count(address) != 0 && set != settings_.end() && set->second == 1;
}

std::string KernelAccesses::textOf(const AccessCall& call) const {
  std::string text;
  for (std::size_t i = call.first; i <= call.last; ++i) text.append(lines_[i]).append("\n");
  return text;
}

std::size_t KernelAccesses::endOfLoads(const AccessCall& call, const StraightLines& straight) const {
  std::size_t end = call.last + 1;
  for (std::size_t i = straight.next(end); i < lines_.size(); i = straight.next(i + 1)) {
    const std::string_view line = lines_[i], operation = operationOf(line);
    if (!line.starts_with("\t") || operation.empty() || mentions(line, "@") || mentions(line, "{")) break;
    const bool loads = isOneOf(plainLoads, operation.substr(0, operation.rfind('.')));
    if (!loads && !isOneOf(computing, nameOf(operation))) break;
    std::string_view rest = cli::operandsOf(line, operation);
    const std::string_view target = takeUpTo(rest, ", ");
    if (std::find(call.operands.begin(), call.operands.end(), target) != call.operands.end()) break;
    if (loads) end = i + 1;
  }
  return end;
}

std::span<const AccessCall> KernelAccesses::groupFrom(std::size_t call, const Changes& changes,
                                                      CallsTogether& together) const {
  std::size_t end = call + 1;
  const auto isOneOfThem = [&](std::size_t one) {
    return one < calls_.size() && calls_[one].result.empty() && changes.isReplaced(calls_[one]) &&
           changes.together(calls_[one]);
  };
  if (changes.together && isOneOfThem(call))
    while (end - call < mostTogether && isOneOfThem(end) && together.add(calls_[end])) ++end;
  return std::span(calls_).subspan(call, end - call);
}

std::string KernelAccesses::changed(const Changes& changes) const {
  std::string body;
  const StraightLines straight(lines_);
  const auto copyUpTo = [this, &body](std::size_t from, std::size_t end) {
    for (; from < end; ++from) body.append(lines_[from]).append("\n");
    return end;
  };
  auto call = calls_.begin();
  for (std::size_t i = 0; i < lines_.size();) {
    while (call != calls_.end() && call->last < i) ++call;
    const bool begins = call != calls_.end() && call->first == i;
    if (begins && changes.isReplaced(*call)) {
      CallsTogether together(straight, *call);
      const auto group = groupFrom(static_cast<std::size_t>(call - calls_.begin()), changes, together);
      for (const std::string_view line : together.inFront()) body.append(line).append("\n");
      i = group.back().last + 1;
      // What stands behind a call that returns something may ask for it.
      if (changes.loadsFirst && group.back().result.empty())
        i = copyUpTo(i, endOfLoads(group.back(), straight));
      body += changes.replacement(group);
      for (const std::string_view line : together.behind()) body.append(line).append("\n");
      continue;
    }
    if (begins && changes.inFrontOfOthers) body += changes.inFrontOfOthers(*call);
    if (isEnd(operationOf(lines_[i]))) body += changes.inFrontOfEnds();
    copyUpTo(i, i + 1);
    if (call != calls_.end() && call->last == i && changes.behindOthers) body += changes.behindOthers(*call);
    ++i;
  }
  return body;
}

std::string kernelsBeside(std::string_view ptx, std::string_view suffix, std::size_t room,
                          const ChangedBody& changed) {
  const std::size_t mostTextMade = 2 * room;  // of what is chosen from: making it takes time, too
  const UnitState state = stateOf(ptx);
  if (formOfUnit(ptx) == 0 || state.name.empty() || !combinesLanes(ptx)) return {};
  const std::set<std::string_view> lean = leanKernelsOf(ptx);
  std::vector<std::string> kernels;  // each with its declaration
  std::size_t made = 0;
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view name = nameOfKernel(declaration);
    if (lean.count(name) != 0 || !recorderFunction(name).empty() || made > mostTextMade) return;
    if (const std::string other = changed(name, body, state); !other.empty())
      made += kernels.emplace_back(withSuffix(declaration, name, suffix).append(other).append("\n")).size();
  });
  return smallestOf(kernels, room);
}

std::string withBeginAndEnd(std::string_view body, std::string_view begin, std::string_view end) {
  const std::size_t brace = body.find('{'), close = body.rfind('}');
  std::string result(body.substr(0, brace + 1));
  result.append("\n").append(begin).append(body.substr(brace + 1, close - brace - 1));
  return result.append(end).append(body.substr(close));
}

bool combinesLanes(std::string_view ptx) {
  constexpr long firstArchitecture = 80;
  const std::string target = targetOf(ptx);
  return std::strtol(target.c_str() + target.find('_') + 1, nullptr, 10) >= firstArchitecture;
}

unsigned formOfUnit(std::string_view ptx) {
  unsigned form = 0;
  forEachFunction(ptx, [&form](std::string_view, std::string_view declaration) {
    if (!isRecordersExtern(declaration)) return;
    const std::string_view name = nameOfFunction(declaration);
    for (const CallFamily& family : callFamilies)
      if (isOneOf(family.ofAccesses, recorderFunction(name))) form = formOf(name);
  });
  return form;
}

}  // namespace cui::cli
