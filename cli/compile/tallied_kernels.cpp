#include "cli/compile/tallied_kernels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "cli/compile/access_calls.h"
#include "cli/compile/control_flow.h"
#include "cli/compile/dead_blocks.h"
#include "cli/compile/lean_kernels.h"
#include "cli/compile/mode_kernels.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/ptx_text.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/tally_text.h"
#include "cli/compile/unit_state.h"
#include "cuinstrument/format/access_key.h"
#include "cuinstrument/format/record.h"

namespace cui::cli {
namespace {

/// A tally takes five or six. What a kernel has no registers for it keeps in local memory, which costs more
/// than tallies save.
constexpr unsigned mostTallies = 6;
/// Of these sites, as often as loops are unrolled: each is some 150 lines, over which ptxas takes its time.
constexpr unsigned mostAccesses = 24;
/// Of a key.
constexpr unsigned spaceMask = (1u << format::keyShift) - 1;

/// Says in PTX that the accesses that follow are recorded in front of their loop, nearly always.
constexpr std::string_view unlessTold = "cuiUnlessTold";

/// Loads that nobody waits for, and instructions that only compute.
constexpr std::array<std::string_view, 4> plainLoads = {"ld.global", "ld.global.nc", "ld.shared", "ld.const"};
constexpr std::array<std::string_view, 16> computing = {"add",  "sub",  "mul", "mad", "cvt", "cvta",
                                                        "shl",  "shr",  "and", "or",  "xor", "mov",
                                                        "selp", "setp", "min", "max"};

/// A kernel's body, in which the mode is known.
class Kernel {
 public:
  Kernel(std::string body, const UnitState& state, const TallyText& text)
      : body_(std::move(body)), state_(state), text_(text) {}

  /// Finds what is to be tallied. False if nothing is.
  bool read() {
    bool known = true;
    std::set<std::size_t> besides;  // blocks
    flow_.read(body_, [&](std::string_view line, std::string_view operation, std::size_t block) {
      blocks_.emplace(line.data(), block);
      if (mentions(line, besideLoop) || mentions(line, unlessTold)) besides.insert(block);
      // What only some lanes do would be an end for these alone.
      const bool ends = operation == "ret" || operation == "exit";
      known = known && !(ends && mentions(line, "@")) && !operation.starts_with("brx") &&
              !mentions(line, ".callprototype");
      return known;
    });
    if (!known) return false;
    for (std::string_view rest = body_; !rest.empty();) lines_.push_back(takeUpTo(rest, "\n"));
    calls_ = callsIn(lines_);
    findKeys();
    std::set<unsigned> inFront;  // keys of what is recorded in front of loops
    // Traces' calls are of accesses, too: where inline assembly ends the kernel, they are still there.
    for (const AccessCall& call : calls_)
      if (!call.isOfAccesses())
        for (const std::string_view operand : call.operands)
          if (const auto key = keys_.find(operand); key != keys_.end()) inFront.insert(key->second);
    std::size_t others = 0, accesses = 0;
    for (const AccessCall& call : calls_) {
      if (call.count() == 0 || !isInLoop(call)) continue;
      accesses += call.count();
      if (besides.count(blockOf(call)) == 0) others += addTallies(call, inFront);
    }
    return tallies_.size() <= mostTallies && others < tallies_.size() && accesses <= mostAccesses;
  }

  std::string text() const {
    std::string body, behind;
    unsigned accesses = 0, ends = 0;
    auto call = calls_.begin();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      while (call != calls_.end() && call->last < i) ++call;
      if (call != calls_.end() && call->first == i && isReplaced(*call)) {
        // What else is in there sets its operands.
        for (; i < call->last; ++i)
          if (isOneOf(computing, nameOf(operationOf(lines_[i])))) body.append(lines_[i]).append("\n");
        const std::size_t end = endOfLoads(*call);
        while (i + 1 < end) body.append(lines_[++i]).append("\n");
        for (unsigned which = 0; which < call->count(); ++which)
          addAccess(*call, which, accesses++, body, behind);
        continue;
      }
      const std::string_view operation = operationOf(lines_[i]);
      if (operation == "ret" || operation == "exit")
        for (const Tally& tally : tallies_) body += text_.end(tally, ends++);
      body.append(lines_[i]).append("\n");
    }
    const std::size_t brace = body.find('{'), close = body.rfind('}');
    std::string result =
        body.substr(0, brace + 1) + "\n" + text_.registers(static_cast<unsigned>(tallies_.size()), accesses);
    for (const Tally& tally : tallies_) result += text_.empty(tally);
    return result + body.substr(brace + 1, close - brace - 1) + behind + body.substr(close);
  }

 private:
  /// Registers that hold the key of a site, whose number is in the text.
  void findKeys() {
    const std::string firstKey =
        "[" + std::string(state_.name) + "+" + std::to_string(format::firstKeyAt) + "];";
    std::map<std::string_view, unsigned> first;  // registers with the first key: by how many loads of it
    for (const std::string_view line : lines_) {
      const std::string_view operation = operationOf(line);
      if (operation.empty() || operation.starts_with("st.")) continue;
      std::string_view rest = operandsOf(line, operation);
      const std::string_view target = takeUpTo(rest, ", ");
      ++settings_[target];
      if (operation == "cvt.u64.u32") narrow_.insert(target);
      if (operation == "ld.const.u32" && rest == firstKey) ++first[target];
    }
    for (const std::string_view line : lines_) {
      const std::string_view operation = operationOf(line);
      if (operation != "add.s32") continue;
      std::string_view rest = operandsOf(line, operation);
      const std::string_view target = takeUpTo(rest, ", "), left = takeUpTo(rest, ", ");
      const std::optional<unsigned> right = numberIn(takeUpTo(rest, ";"));
      if (right && first.count(left) != 0 && first[left] == settings_[left] && settings_[target] == 1)
        keys_.emplace(target, *right);
    }
  }

  std::size_t blockOf(const AccessCall& call) const { return blocks_.at(lines_[call.first].data()); }
  bool isInLoop(const AccessCall& call) const { return flow_.comesBack(blockOf(call)); }

  template <class Tallies>
  static auto tallyWith(Tallies& tallies, unsigned key, std::optional<unsigned> bytes) {
    return std::find_if(tallies.begin(), tallies.end(),
                        [&](const Tally& tally) { return tally.siteKey == key && tally.bytes == bytes; });
  }

  /// What can be of the call's accesses. Returns how many cannot, and are made each time round all the same.
  unsigned addTallies(const AccessCall& call, const std::set<unsigned>& inFront) {
    unsigned others = 0;
    for (unsigned which = 0; which < call.count(); ++which) {
      const auto key = keys_.find(call.key(which));
      const std::optional<unsigned> bytes = call.bytes(which);
      if (key != keys_.end() && inFront.count(key->second) != 0) continue;
      const auto space = static_cast<format::Space>(key == keys_.end() ? 0 : key->second & spaceMask);
      const bool shared = space == format::Space::shared;
      if (!bytes || (!shared && space != format::Space::global) || !std::has_single_bit(*bytes) ||
          *bytes > (shared ? 4u : 32u)) {
        ++others;
        continue;
      }
      const std::string_view address = call.address(which);
      const bool isNarrow = narrow_.count(address) != 0 && settings_[address] == 1;
      const auto known = tallyWith(tallies_, key->second, bytes);
      if (known == tallies_.end())
        tallies_.push_back({static_cast<unsigned>(tallies_.size()), key->second, *bytes, shared, isNarrow});
      else
        known->oneWindow = known->oneWindow && isNarrow;
    }
    return others;
  }
  const Tally* tallyOf(const AccessCall& call, unsigned which) const {
    const auto key = keys_.find(call.key(which));
    if (key == keys_.end()) return nullptr;
    const auto found = tallyWith(tallies_, key->second, call.bytes(which));
    return found == tallies_.end() ? nullptr : &*found;
  }
  /// Whether something else stands in its place: in a loop, a call of a function that preserves more
  /// registers for the tallies, and takes longer.
  bool isReplaced(const AccessCall& call) const {
    return call.count() != 0 && isInLoop(call) && call.bytes(0).has_value();
  }
  void addAccess(const AccessCall& call, unsigned which, unsigned number, std::string& body,
                 std::string& behind) const {
    const TalliedAccess access = {number, call.key(which), call.address(which)};
    const Tally* const tally = tallyOf(call, which);
    if (tally == nullptr) {
      body += text_.untallied(access, call.bytes(which).value_or(0));
      return;
    }
    body += text_.access(*tally, access);
    behind += text_.otherwise(*tally, access);
  }

  /// Behind the last load of the lines behind a call that only compute and load: these go in front of what
  /// the call becomes, which hides some of the time that loads take. They set nothing that it is called with.
  std::size_t endOfLoads(const AccessCall& call) const {
    std::size_t end = call.last + 1;
    for (std::size_t i = end; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i], operation = operationOf(line);
      if (!line.starts_with("\t") || operation.empty() || mentions(line, "@") || mentions(line, "{")) break;
      const bool loads = isOneOf(plainLoads, operation.substr(0, operation.rfind('.')));
      if (!loads && !isOneOf(computing, nameOf(operation))) break;
      std::string_view rest = operandsOf(line, operation);
      const std::string_view target = takeUpTo(rest, ", ");
      if (std::find(call.operands.begin(), call.operands.end(), target) != call.operands.end()) break;
      if (loads) end = i + 1;
    }
    return end;
  }

  std::string body_;
  const UnitState& state_;
  const TallyText& text_;
  ControlFlow flow_;
  std::vector<std::string_view> lines_;
  std::map<const char*, std::size_t> blocks_;  ///< of lines, by where they begin
  std::vector<AccessCall> calls_;
  std::map<std::string_view, unsigned> settings_;  ///< of registers: by how many instructions
  std::map<std::string_view, unsigned> keys_;
  std::set<std::string_view> narrow_;  ///< registers that are set to a number below 2^32
  std::vector<Tally> tallies_;
};

/// The form of the recorder's functions that the unit calls; 0: none.
unsigned formOfUnit(std::string_view ptx) {
  unsigned form = 0;
  forEachFunction(ptx, [&form](std::string_view, std::string_view declaration) {
    if (isRecordersExtern(declaration) &&
        isOneOf(callFamilies[1].ofAccesses, recorderFunction(nameOfFunction(declaration))))
      form = formOf(nameOfFunction(declaration));
  });
  return form;
}

}  // namespace

std::string talliedKernels(std::string_view ptx) {
  constexpr long firstArchitecture = 80;  // lanes' numbers are combined by one instruction
  const std::string target = targetOf(ptx);
  const unsigned form = formOfUnit(ptx);
  const UnitState state = stateOf(ptx);
  if (form == 0 || state.name.empty() ||
      std::strtol(target.c_str() + target.find('_') + 1, nullptr, 10) < firstArchitecture)
    return {};
  const TallyText text(state.name, form);
  const std::set<std::string_view> byRows = kernelsByRows(ptx), lean = leanKernelsOf(ptx);
  std::string kernels;
  forEachDefinition(ptx, kernelDirective, [&](std::string_view declaration, std::string_view body) {
    const std::string_view name = nameOfKernel(declaration);
    if (byRows.count(name) != 0 || lean.count(name) != 0 || !recorderFunction(name).empty() ||
        !mentions(body, "InMode"))
      return;
    Kernel kernel(withoutDeadBlocks(inProfiles(body, state)), state, text);
    if (!kernel.read()) return;
    kernels.append(withSuffix(declaration, name, talliedSuffix)).append(kernel.text()).append("\n");
  });
  return kernels.empty() ? kernels : text.declarations() + kernels;
}

}  // namespace cui::cli
