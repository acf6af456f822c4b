#include "cli/compile/rare_values.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/access_calls.h"
#include "cli/compile/body_registers.h"
#include "cli/compile/kept_answers.h"
#include "cli/compile/ptx_calls.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"

namespace cui::cli {
namespace {

/// Enough for eight inner loops of five accesses, and little of what a lane may have in memory.
constexpr std::size_t mostValues = 128;
constexpr std::size_t bytesOfValue = 8;
constexpr std::string_view rareMemory = "cuiRare";

/// How many words the register has: 0 if it is none of those of integers that cicc names.
unsigned wordsOf(std::string_view name) {
  const auto isNumbered = [name](std::string_view kind) {
    return name.starts_with(kind) && numberIn(name.substr(kind.size())).has_value();
  };
  return isNumbered("%rd") ? 2 : isNumbered("%r") ? 1 : 0;
}

/// `%cuirare3` for the register of that number.
std::string loadedInto(std::size_t number) {
  return "%cuirare" + std::to_string(number);
}

class RareValues {
 public:
  explicit RareValues(std::string_view body) : registers_(body), lines_(registers_.lines()) {
    for (const AccessCall& call : callsIn(lines_))
      if (isOneOf(otherLoops, call.function)) addRare(call.first);
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (lines_[i] == runOnce) addRare(i);
    if (!rareBlocks_.empty()) findValues();
  }

  bool any() const { return !away_.empty(); }
  std::string changed() const {
    std::string body;
    std::set<std::size_t> begun;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const bool rare = isRare(i);
      if (rare && begun.insert(registers_.blockOf(i)).second)
        body += loads(rareBlocks_.at(registers_.blockOf(i)));
      body.append(rare ? withLoaded(lines_[i]) : std::string(lines_[i])).append("\n");
      if (i == 0) body += declarations();
      if (const auto value = setAt_.find(i); value != setAt_.end())
        body += ofMemoryAway(access("st", value->second, value->second), rareMemory);
    }
    return body;
  }

 private:
  bool isRare(std::size_t line) const { return rareBlocks_.count(registers_.blockOf(line)) != 0; }
  void addRare(std::size_t line) {
    if (registers_.isInLoop(line)) rareBlocks_[registers_.blockOf(line)];
  }

  void findValues() {
    for (const auto& [name, uses] : registers_.all()) {
      if (wordsOf(name) == 0 || !isRare(name) || away_.size() == mostValues) continue;
      setAt_.emplace(uses.line, name);
      away_.emplace(name, away_.size());
      for (const std::size_t use : uses.uses)
        if (isRare(use)) rareBlocks_[registers_.blockOf(use)].insert(name);
    }
  }

  /// Set once, in front of loops, of other values, and asked for in rare blocks; else only in front of these,
  /// out of loops. What is computed of none, such as an address of the lane's own memory, ptxas knows.
  bool isRare(std::string_view name) const {
    const RegisterUses* value = registers_.setOnce(name);
    if (value == nullptr || registers_.isInLoop(value->line)) return false;
    bool computed = false;
    forEachRegister(partsOfLine(lines_[value->line]).sources,
                    [&computed](std::string_view source) { computed = computed || wordsOf(source) != 0; });
    const auto first =
        std::find_if(value->uses.begin(), value->uses.end(), [this](std::size_t use) { return isRare(use); });
    return computed && first != value->uses.end() &&
           std::all_of(value->uses.begin(), value->uses.end(), [this, first](std::size_t use) {
             return isRare(use) || (use < *first && !registers_.isInLoop(use));
           });
  }

  std::string declarations() const {
    std::string text = memoryAway(static_cast<unsigned>(away_.size() * bytesOfValue), rareMemory);
    for (const auto& [name, number] : away_)
      text.append(wordsOf(name) == 2 ? "\t.reg .b64 \t" : "\t.reg .b32 \t")
          .append(loadedInto(number))
          .append(";\n");
    return text;
  }
  /// `st.local.u64 [%away+24], %rd5;`
  std::string access(std::string_view operation, std::string_view name, std::string_view with) const {
    const std::string place = "[%away+" + std::to_string(away_.at(name) * bytesOfValue) + "]";
    const bool stores = operation == "st";
    std::string text(operation);
    text.append(wordsOf(name) == 2 ? ".local.u64 " : ".local.u32 ");
    return text.append(stores ? place : with).append(", ").append(stores ? with : place).append(";\n");
  }
  std::string loads(const std::set<std::string_view>& names) const {
    std::string text;
    for (const std::string_view name : names) text += access("ld", name, loadedInto(away_.at(name)));
    return text.empty() ? text : ofMemoryAway(text, rareMemory);
  }
  std::string withLoaded(std::string_view line) const {
    std::string text;
    std::size_t done = 0;
    forEachRegister(line, [&](std::string_view name) {
      const auto found = away_.find(name);
      if (found == away_.end()) return;
      const auto at = static_cast<std::size_t>(name.data() - line.data());
      text.append(line.substr(done, at - done)).append(loadedInto(found->second));
      done = at + name.size();
    });
    return text.append(line.substr(done));
  }

  BodyRegisters registers_;
  const std::vector<std::string_view>& lines_;
  std::map<std::size_t, std::set<std::string_view>> rareBlocks_;  ///< with what they ask for
  std::map<std::string_view, std::size_t> away_;                  ///< by names: which place they have
  std::map<std::size_t, std::string_view> setAt_;                 ///< by the line that sets it
};

}  // namespace

std::string withRareValuesAway(std::string_view body, std::string_view state) {
  const bool any = std::any_of(otherLoops.begin(), otherLoops.end(),
                               [body](std::string_view function) { return mentions(body, function); });
  if (!any) return std::string(body);
  const std::string kept = withAnswersKept(body, state);
  const RareValues values(kept);
  return values.any() ? replaced(values.changed(), "<state>", state) : kept;
}

}  // namespace cui::cli
