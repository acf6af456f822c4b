#include "cli/compile/kept_answers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <vector>

#include "cli/base/replaced_text.h"
#include "cli/compile/access_calls.h"
#include "cli/compile/body_registers.h"
#include "cli/compile/ptx_calls.h"
#include "cli/compile/ptx_functions.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/straight_lines.h"

namespace cui::cli {
namespace {

/// Fewer cost less than what is kept.
constexpr std::size_t fewestQuestions = 4;
/// Of a block. Each is loaded every time.
constexpr std::size_t mostAnswers = 16;
constexpr std::string_view keptMemory = "cuiKept";
constexpr std::size_t bytesOfAnswer = 8;

/// Of another lane. What a vote says is asked each time: of what is in memory ptxas does not know that all
/// lanes have it.
bool asksLanes(std::string_view operation) {
  return operation.starts_with("shfl.sync.");
}

/// Of special registers, those that are the same all through a kernel.
bool staysTheSame(std::string_view name) {
  constexpr std::array<std::string_view, 4> names = {"%tid", "%ntid", "%laneid", "%nctaid"};
  return isOneOf(names, name.substr(0, name.find('.')));
}

/// `%r1` or `%p2`: of cicc's, not `%tid.x`.
bool isNumbered(std::string_view name) {
  return !name.empty() && name.back() >= '0' && name.back() <= '9';
}

bool isPredicate(std::string_view name) {
  return name.starts_with("%p");
}

constexpr std::string_view loadWord = "ld.local.<type> <name>, <place>;\n";
constexpr std::string_view storeWord = "st.local.<type> <place>, <name>;\n";
constexpr std::string_view loadPredicate = R"({
.reg .b32 %answer;
ld.local.<type> %answer, <place>;
setp.ne.u32 <name>, %answer, 0;
}
)";
constexpr std::string_view storePredicate = R"({
.reg .b32 %answer;
selp.u32 %answer, 1, 0, <name>;
st.local.<type> <place>, %answer;
}
)";
/// All lanes have come, as all are asked, and all have the answers or none has.
constexpr std::string_view askOnce = R"(<load>setp.ne.u32 %cuikeptp, %cuikept, 0;
vote.sync.all.pred %cuikeptp, %cuikeptp, -1;
@%cuikeptp bra <label>;
<once>
<lines><store><label>:
)";

/// A block's lines that are run once.
struct Once {
  std::size_t first = 0, end = 0;         ///< the block
  std::set<std::size_t> kept;             ///< questions, and what is computed of their answers
  std::set<std::size_t> needed;           ///< by these: they are run each time, too
  std::vector<std::string_view> answers;  ///< registers that other lines ask for
  std::size_t firstPlace = 0;             ///< of whether there are any, in front of them
};

class KeptAnswers {
 public:
  explicit KeptAnswers(std::string_view body) : registers_(body) {
    // What such a call is asked with is computed in the block in front of it.
    for (const AccessCall& call : callsIn(registers_.lines())) {
      if (call.gathered() == 0 || !registers_.isInLoop(call.first)) continue;
      const std::size_t own = beginOfBlock(call.first);
      if (own != 0) addBlock(beginOfBlock(own - 1), own);
    }
  }

  bool any() const { return !all_.empty(); }
  std::string changed() const {
    std::string body;
    const auto& lines = registers_.lines();
    auto next = all_.begin();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (next != all_.end() && next->end == i) ++next;
      if (next != all_.end() && next->first == i) body += onceText(*next);
      if (next == all_.end() || i < next->first || next->kept.count(i) == 0)
        body.append(lines[i]).append("\n");
      if (i == 0) body += declarations();
    }
    return body;
  }

 private:
  std::size_t beginOfBlock(std::size_t line) const {
    while (line != 0 && registers_.blockOf(line - 1) == registers_.blockOf(line)) --line;
    return line;
  }
  void addBlock(std::size_t first, std::size_t end) {
    Once once{first, end, {}, {}, {}, 0};
    std::size_t questions = 0;
    for (std::size_t i = first; i < end; ++i) {
      const LineParts parts = partsOfLine(registers_.lines()[i]);
      if (!isTheSame(i)) continue;
      const bool asks = asksLanes(parts.operation);
      if (!asks && !asksFor(i, once.kept)) continue;
      once.kept.insert(i);
      questions += asks ? 1 : 0;
    }
    if (questions < fewestQuestions) return;
    findNeeded(once);
    findAnswers(once);
    if (once.answers.size() > mostAnswers) return;
    if (!all_.empty()) once.firstPlace = all_.back().firstPlace + 1 + all_.back().answers.size();
    all_.push_back(std::move(once));
  }
  /// Whether the line asks for what one of these sets.
  bool asksFor(std::size_t i, const std::set<std::size_t>& lines) const {
    bool asks = false;
    forEachRegister(partsOfLine(registers_.lines()[i]).sources, [&](std::string_view name) {
      const RegisterUses* uses = registers_.setOnce(name);
      asks = asks || (uses != nullptr && lines.count(uses->line) != 0);
    });
    return asks;
  }
  void findNeeded(Once& once) const {
    std::vector<std::size_t> open(once.kept.begin(), once.kept.end());
    while (!open.empty()) {
      const LineParts parts = partsOfLine(registers_.lines()[open.back()]);
      open.pop_back();
      forEachRegister(parts.sources, [&](std::string_view name) {
        const RegisterUses* uses = registers_.setOnce(name);
        if (uses == nullptr || uses->line < once.first || uses->line >= once.end) return;
        if (once.kept.count(uses->line) == 0 && once.needed.insert(uses->line).second)
          open.push_back(uses->line);
      });
    }
  }
  void findAnswers(Once& once) const {
    for (const std::size_t i : once.kept)
      forEachRegister(partsOfLine(registers_.lines()[i]).targets, [&](std::string_view name) {
        const RegisterUses* uses = registers_.setOnce(name);
        if (std::any_of(uses->uses.begin(), uses->uses.end(),
                        [&once](std::size_t use) { return once.kept.count(use) == 0; }))
          once.answers.push_back(name);
      });
  }

  /// Whether the line sets its registers, each of them by itself, to the same whenever it is run.
  bool isTheSame(std::size_t i) {
    const auto [known, isNew] = same_.emplace(i, false);
    if (isNew) same_[i] = comesToTheSame(partsOfLine(registers_.lines()[i]));
    return same_[i];
  }
  bool comesToTheSame(const LineParts& parts) {
    const bool asks = asksLanes(parts.operation);
    if (mentions(parts.condition, "@") || parts.targets.empty()) return false;
    bool same = asks ? isOfAll(parts.sources) : onlyComputes(parts.operation);
    forEachRegister(parts.targets, [&](std::string_view name) {
      same = same && registers_.setOnce(name) != nullptr && typeOf(name) != nullptr;
    });
    forEachRegister(parts.sources, [&](std::string_view name) {
      if (!isNumbered(name)) {
        same = same && staysTheSame(name);
        return;
      }
      const RegisterUses* uses = registers_.setOnce(name);
      same = same && uses != nullptr && (!registers_.isInLoop(uses->line) || isTheSame(uses->line));
    });
    return same;
  }
  /// `…, -1;`
  bool isOfAll(std::string_view sources) const {
    std::string_view mask = sources.substr(sources.rfind(' ') + 1);
    mask = mask.substr(0, mask.find(';'));
    if (mask == "-1") return true;
    const RegisterUses* uses = registers_.setOnce(mask);
    return uses != nullptr && registers_.lines()[uses->line].ends_with(", -1;");
  }

  /// In memory; null of registers that are not kept.
  static const char* typeOf(std::string_view name) {
    if (name.starts_with("%rd")) return "u64";
    return (name.starts_with("%r") && !name.starts_with("%rs")) || isPredicate(name) ? "u32" : nullptr;
  }

  std::string declarations() const {
    std::string none;
    for (const Once& once : all_) none += ofPlace("st.local.u32 <place>, 0;\n", once.firstPlace);
    const auto places = all_.back().firstPlace + 1 + all_.back().answers.size();
    return memoryAway(static_cast<unsigned>(places * bytesOfAnswer), keptMemory) +
           "\t.reg .pred \t%cuikeptp;\n\t.reg .b32 \t%cuikept;\n" + ofMemoryAway(none, keptMemory);
  }
  std::string onceText(const Once& once) const {
    std::string load = ofPlace("ld.local.u32 %cuikept, <place>;\n", once.firstPlace);
    std::string store = ofPlace("st.local.u32 <place>, 1;\n", once.firstPlace), lines;
    std::size_t place = once.firstPlace;
    for (const std::string_view name : once.answers) {
      ++place;
      load += replaced(ofPlace(isPredicate(name) ? loadPredicate : loadWord, place, typeOf(name)), "<name>",
                       name);
      store += replaced(ofPlace(isPredicate(name) ? storePredicate : storeWord, place, typeOf(name)),
                        "<name>", name);
    }
    for (std::size_t i = once.first; i < once.end; ++i)
      if (once.kept.count(i) + once.needed.count(i) != 0) lines.append(registers_.lines()[i]).append("\n");
    std::string text = replaced(askOnce, "<label>", "$L__cuiKept" + std::to_string(once.firstPlace));
    text = replaced(text, "<load>", ofMemoryAway(load, keptMemory));
    text = replaced(text, "<store>", ofMemoryAway(store, keptMemory));
    return replaced(replaced(text, "<once>", runOnce), "<lines>", lines);
  }
  static std::string ofPlace(std::string_view text, std::size_t place, std::string_view type = {}) {
    return replaced(replaced(text, "<place>", "[%away+" + std::to_string(place * bytesOfAnswer) + "]"),
                    "<type>", type);
  }

  BodyRegisters registers_;
  std::vector<Once> all_;
  std::map<std::size_t, bool> same_;  ///< of lines that were looked at
};

}  // namespace

std::string withAnswersKept(std::string_view body, std::string_view state) {
  const KeptAnswers answers(body);
  return answers.any() ? replaced(answers.changed(), "<state>", state) : std::string(body);
}

}  // namespace cui::cli
