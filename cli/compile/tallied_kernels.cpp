#include "cli/compile/tallied_kernels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <vector>

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

/// A call as cicc writes it, between lines with braces: operands as text.
struct Call {
  std::size_t first = 0, last = 0;  ///< lines
  std::size_t block = 0;
  std::string_view function;
  std::vector<std::string_view> operands;
};

/// Says in PTX that the accesses that follow are recorded in front of their loop, nearly always.
constexpr std::string_view unlessTold = "cuiUnlessTold";

std::optional<unsigned> numberIn(std::string_view text) {
  unsigned value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || stopped != text.data() + text.size()) return std::nullopt;
  return value;
}

/// What stands behind an instruction's name.
std::string_view operandsOf(std::string_view line, std::string_view operation) {
  line.remove_prefix(static_cast<std::size_t>(operation.data() - line.data()) + operation.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

/// Without its types.
std::string_view nameOf(std::string_view operation) {
  return operation.substr(0, operation.find('.'));
}

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
    readCalls();
    findKeys();
    std::set<unsigned> inFront;  // keys of what is recorded in front of loops
    for (const Call& call : calls_)
      if (!isOfAccesses(call))
        for (const std::string_view operand : call.operands)
          if (const auto key = keys_.find(operand); key != keys_.end()) inFront.insert(key->second);
    for (const Call& call : calls_)
      if (countOf(call) != 0 && besides.count(call.block) == 0 && flow_.comesBack(call.block))
        addTallies(call, inFront);
    return !tallies_.empty() && tallies_.size() <= mostTallies;
  }

  std::string text() const {
    std::string result, behind;
    unsigned accesses = 0, ends = 0;
    std::string body;
    auto call = calls_.begin();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      while (call != calls_.end() && call->last < i) ++call;
      if (call != calls_.end() && call->first == i && isReplaced(*call)) {
        // What else is in there sets its operands.
        for (; i < call->last; ++i)
          if (isOneOf(computing, nameOf(operationOf(lines_[i])))) body.append(lines_[i]).append("\n");
        const std::size_t end = endOfLoads(*call);
        while (i + 1 < end) body.append(lines_[++i]).append("\n");
        for (unsigned which = 0; which < countOf(*call); ++which)
          addAccess(*call, which, accesses++, body, behind);
        continue;
      }
      const std::string_view operation = operationOf(lines_[i]);
      if (operation == "ret" || operation == "exit")
        for (const Tally& tally : tallies_) body += text_.end(tally, ends++);
      body.append(lines_[i]).append("\n");
    }
    const std::size_t brace = body.find('{'), close = body.rfind('}');
    result =
        body.substr(0, brace + 1) + "\n" + text_.registers(static_cast<unsigned>(tallies_.size()), accesses);
    for (const Tally& tally : tallies_) result += text_.empty(tally);
    return result + body.substr(brace + 1, close - brace - 1) + behind + body.substr(close);
  }

 private:
  void readCalls() {
    Call call;
    bool inside = false;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = lines_[i];
      if (line.starts_with("\t{ // callseq")) {
        call = Call();
        call.first = i;
        if (const auto block = blocks_.find(line.data()); block != blocks_.end()) call.block = block->second;
        inside = true;
      }
      if (!inside) continue;
      const std::string_view operation = operationOf(line);
      if (operation.starts_with("st.param")) {
        std::string_view rest = line.substr(std::min(line.find("], "), line.size()));
        takeUpTo(rest, "], ");
        call.operands.push_back(takeUpTo(rest, ";"));
      }
      forEachWord(line, [&call](std::string_view, std::string_view word) {
        if (const std::string_view function = recorderFunction(word); !function.empty())
          call.function = function;
      });
      if (!line.starts_with("\t} // callseq")) continue;
      call.last = i;
      calls_.push_back(call);
      inside = false;
    }
  }

  /// In either mode: where inline assembly ends the kernel, blocks that are dead now are still there.
  static bool isOfAccesses(const Call& call) {
    return std::any_of(callFamilies.begin(), callFamilies.end(), [&call](const CallFamily& family) {
      return isOneOf(family.ofAccesses, call.function);
    });
  }

  /// How many accesses a call is of; 0: it is another function's.
  static unsigned countOf(const Call& call) {
    const auto& names = callFamilies[1].ofAccesses;
    const auto found = std::find(names.begin(), names.end(), call.function);
    if (found == names.end()) return 0;
    const auto count = static_cast<unsigned>(found - names.begin()) + 1;
    return call.operands.size() == 2 + 2 * count ? count : 0;
  }

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

  static std::optional<unsigned> bytesOf(const Call& call, unsigned which) {
    const std::optional<unsigned> all = numberIn(call.operands.back());
    if (!all) return std::nullopt;
    switch (countOf(call)) {
      case 1:
        return all;
      case 2:
        return *all >> (16 * which) & 0xffffu;
      default:
        return *all >> (10 * which) & 0x3ffu;
    }
  }
  static std::string_view keyOf(const Call& call, unsigned which) { return call.operands[1 + 2 * which]; }
  static std::string_view addressOf(const Call& call, unsigned which) { return call.operands[2 + 2 * which]; }

  void addTallies(const Call& call, const std::set<unsigned>& inFront) {
    for (unsigned which = 0; which < countOf(call); ++which) {
      const auto key = keys_.find(keyOf(call, which));
      const std::optional<unsigned> bytes = bytesOf(call, which);
      if (key == keys_.end() || !bytes || inFront.count(key->second) != 0) continue;
      const auto space = static_cast<format::Space>(key->second & ((1u << format::keyShift) - 1));
      const bool shared = space == format::Space::shared;
      if (!shared && space != format::Space::global) continue;
      if (*bytes == 0 || (*bytes & (*bytes - 1)) != 0 || *bytes > (shared ? 4u : 32u)) continue;
      const std::string_view address = addressOf(call, which);
      const bool isNarrow = narrow_.count(address) != 0 && settings_[address] == 1;
      const auto known = std::find_if(tallies_.begin(), tallies_.end(), [&](const Tally& tally) {
        return tally.siteKey == key->second && tally.bytes == *bytes;
      });
      if (known == tallies_.end())
        tallies_.push_back({static_cast<unsigned>(tallies_.size()), key->second, *bytes, shared, isNarrow});
      else
        known->oneWindow = known->oneWindow && isNarrow;
    }
  }
  const Tally* tallyOf(const Call& call, unsigned which) const {
    const auto key = keys_.find(keyOf(call, which));
    if (key == keys_.end() || !flow_.comesBack(call.block)) return nullptr;
    const auto found = std::find_if(tallies_.begin(), tallies_.end(), [&](const Tally& tally) {
      return tally.siteKey == key->second && tally.bytes == bytesOf(call, which);
    });
    return found == tallies_.end() ? nullptr : &*found;
  }
  /// Whether something else stands in its place: in a loop, a call of a function that preserves more
  /// registers for the tallies, and takes longer.
  bool isReplaced(const Call& call) const {
    return countOf(call) != 0 && flow_.comesBack(call.block) && bytesOf(call, 0).has_value();
  }
  void addAccess(const Call& call, unsigned which, unsigned number, std::string& body,
                 std::string& behind) const {
    const TalliedAccess access = {number, keyOf(call, which), addressOf(call, which)};
    const Tally* const tally = tallyOf(call, which);
    if (tally == nullptr) {
      body += text_.untallied(access, bytesOf(call, which).value_or(0));
      return;
    }
    body += text_.access(*tally, access);
    behind += text_.otherwise(*tally, access);
  }

  /// Behind the last load of the lines behind a call that only compute and load: these go in front of what
  /// the call becomes, which hides some of the time that loads take. They set nothing that it is called with.
  std::size_t endOfLoads(const Call& call) const {
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
  std::vector<Call> calls_;
  std::map<std::string_view, unsigned> settings_;  ///< of registers: by how many instructions
  std::map<std::string_view, unsigned> keys_;
  std::set<std::string_view> narrow_;  ///< registers that are set to a number below 2^32
  std::vector<Tally> tallies_;
};

/// The form of the recorder's functions that the unit calls; 0: none.
unsigned formOfUnit(std::string_view ptx) {
  unsigned form = 0;
  forEachFunction(ptx, [&form](std::string_view, std::string_view declaration) {
    if (isRecordersExtern(declaration) && recorderFunction(nameOfFunction(declaration)) == "warpInMode")
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
    const auto end = static_cast<std::size_t>(name.data() + name.size() - declaration.data());
    kernels.append(declaration.substr(0, end)).append(talliedSuffix);
    kernels.append(declaration.substr(end)).append(kernel.text()).append("\n");
  });
  return kernels.empty() ? kernels : text.declarations() + kernels;
}

}  // namespace cui::cli
