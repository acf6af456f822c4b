#include "cli/compile/in_place_kernels.h"

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/compile/dead_blocks.h"
#include "cli/compile/in_place_text.h"
#include "cli/compile/kernel_accesses.h"
#include "cli/compile/rare_values.h"
#include "cli/compile/split_bodies.h"
#include "cli/compile/split_prologue.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

/// Of each a lane has a count in a register.
constexpr unsigned mostCountedSites = 8;
/// Of these sites, as often as loops are unrolled: each is some 190 lines, over which ptxas takes its time.
constexpr unsigned mostWrittenAccesses = 24;
/// Of calls for all of a loop's accesses.
constexpr unsigned mostWrittenLoops = 8;

/// A kernel's body, in which the mode is known.
class InPlaceKernel {
 public:
  /// `table`: the name of what says what its accesses are, if its lanes log them.
  InPlaceKernel(const KernelAccesses& accesses, const InPlaceText& text, std::string table = {})
      : accesses_(accesses), text_(text), table_(std::move(table)) {}

  /// Finds what is to be written in place. False if that is too little, or too much.
  bool read() {
    // In front of other calls chunks are put back, and behind them they are taken anew.
    std::size_t calls = 0, others = 0, accesses = 0, loops = 0;
    for (const AccessCall& call : accesses_.calls()) {
      if (!accesses_.isInLoop(call) || accesses_.isBesideLoop(call)) continue;
      if (isLoop(call)) {
        ++calls;
        ++loops;
        continue;
      }
      if (!isKnown(call)) {
        if (!isOneOf(otherLoops, call.function) && !isOneOf(rareCalls, call.function)) ++others;
        continue;
      }
      ++calls;
      accesses += countOf(call);
      for (unsigned which = 0; which < countOf(call); ++which) {
        const unsigned key = accesses_.access(call, which).key.value_or(0);
        sites_.emplace(key, CountedSite{static_cast<unsigned>(sites_.size()), key});
      }
    }
    return others < calls && sites_.size() <= mostCountedSites && accesses <= mostWrittenAccesses &&
           loops <= mostWrittenLoops;
  }

  /// `others`: the body for blocks that are not recorded. To `tables` goes the kernel's.
  std::string text(std::string_view others, std::string& tables) const {
    std::string behind;
    unsigned places = 0;
    const auto rules = logs() ? Rules() : rulesToKeep();
    InPlaceText::Counts counts = countAll();
    counts.rules = rules.count;
    counts.table = table_;
    std::vector<WrittenAccess> all;
    unsigned accesses = 0, calls = 0, loops = 0;
    const auto inFrontOfOthers = [&] { return text_.putBack(firstPlace + places++) + text_.putAway(counts); };
    KernelAccesses::Changes changes;
    changes.isReplaced = [this](const AccessCall& call) { return isReplaced(call); };
    changes.together = [this](const AccessCall& call) { return isOfShared(call); };
    changes.replacement = [&](std::span<const AccessCall> group) {
      if (const AccessCall& call = group.front(); isLoop(call)) {
        behind += text_.loopOtherwise(call, loops,
                                      inFrontOfOthers() + accesses_.textOf(call) + text_.takeBack(counts));
        return text_.loop(call, loops++);
      }
      std::vector<WrittenAccess> written;
      for (const AccessCall& call : group)
        for (unsigned which = 0; which < countOf(call); ++which)
          written.push_back(writtenAccess(call, which, accesses++, calls, rules));
      const std::string question = text_.question(calls++);
      if (!logs()) return question + accessesOf(written, behind);
      all.insert(all.end(), written.begin(), written.end());
      behind += text_.loggedOtherwise(written, counts);
      return question + text_.logged(written);
    };
    changes.inFrontOfOthers = [&](const AccessCall&) { return inFrontOfOthers(); };
    changes.behindOthers = [&](const AccessCall&) { return text_.takeBack(counts); };
    changes.inFrontOfEnds = [&] { return text_.end(counts); };
    const std::string body = accesses_.changed(changes);
    const std::string begin = text_.registers(counts);
    const std::string question = text_.beginning(counts, mentions(body, endOfPrologue));
    if (logs() && all.empty()) return {};  // its loops are written likewise elsewhere
    if (logs()) tables += InPlaceText::tableOf(counts, all);
    return withBothBodies({body, others, begin, question, behind});
  }

 private:
  /// Numbers of labels: those of accesses are less.
  static constexpr unsigned firstPlace = mostWrittenAccesses;

  bool logs() const { return !table_.empty(); }
  static unsigned countOf(const AccessCall& call) { return call.count(CallMode::traced); }

  /// Whether it is of all of a loop's accesses. Of loops of two or three the questions about each take more
  /// registers than a call (bitonic sort: traced 14.3 -> 16.5 times plain).
  static bool isLoop(const AccessCall& call) { return call.gathered() != 0 || call.isOfEvenAccess(); }
  /// Whether all of its accesses are.
  bool isKnown(const AccessCall& call) const {
    bool known = countOf(call) != 0;
    for (unsigned which = 0; which < countOf(call); ++which) {
      const KnownAccess access = accesses_.access(call, which);
      known = known && access.key.has_value() && access.bytes.has_value();
    }
    return known;
  }
  /// What is asked of lanes is a word there, and registers are for two accesses at once.
  bool isOfShared(const AccessCall& call) const {
    bool shared = true;
    for (unsigned which = 0; which < countOf(call); ++which)
      shared = shared && accesses_.access(call, which).space() == format::Space::shared;
    return shared;
  }
  bool isReplaced(const AccessCall& call) const {
    return accesses_.isInLoop(call) && !accesses_.isBesideLoop(call) && (isKnown(call) || isLoop(call));
  }
  InPlaceText::Counts countAll() const {
    InPlaceText::Counts counts;
    counts.siteKeys.resize(sites_.size());
    for (const auto& [key, site] : sites_) counts.siteKeys[site.number] = key;
    for (const AccessCall& call : accesses_.calls()) {
      if (!isReplaced(call)) continue;
      ++(isLoop(call) ? counts.loops : counts.calls);
      counts.accesses += countOf(call);
    }
    return counts;
  }
  /// Accesses of shared memory whose rule another one, further down, asks for, as their addresses are
  /// computed alike: what a thread has loaded it often stores to.
  struct Rules {
    unsigned count = 0;
    std::map<unsigned, unsigned> keeps, asks;  ///< by an access's number, of the rule
  };
  Rules rulesToKeep() const {
    Rules rules;
    std::map<std::string, unsigned> firstOf;
    unsigned number = 0;
    for (const AccessCall& call : accesses_.calls()) {
      if (!isReplaced(call)) continue;
      for (unsigned which = 0; which < countOf(call); ++which, ++number) {
        if (accesses_.access(call, which).space() != format::Space::shared) continue;
        const auto [first, isNew] = firstOf.emplace(accesses_.placeOf(call.address(which)), number);
        if (isNew) continue;
        const unsigned rule = rules.keeps.emplace(first->second, rules.count).first->second;
        if (rule == rules.count) ++rules.count;
        rules.asks.emplace(number, rule);
      }
    }
    return rules;
  }
  std::string accessesOf(std::span<const WrittenAccess> written, std::string& behind) const {
    std::string all;
    while (!written.empty()) {
      const bool pair = written.size() > 1 && InPlaceText::arePair(written[0], written[1]);
      all += pair ? text_.pair(written[0], written[1]) : text_.access(written[0]);
      behind += pair ? text_.pairOtherwise(written[0], written[1]) : text_.otherwise(written[0]);
      written = written.subspan(pair ? 2 : 1);
    }
    return all;
  }
  WrittenAccess writtenAccess(const AccessCall& call, unsigned which, unsigned number, unsigned calls,
                              const Rules& rules) const {
    const KnownAccess known = accesses_.access(call, which);
    const auto ruleIn = [number](const std::map<unsigned, unsigned>& found) {
      const auto rule = found.find(number);
      return rule == found.end() ? std::nullopt : std::optional(rule->second);
    };
    return {sites_.at(known.key.value_or(0)),
            number,
            calls,
            call.address(which),
            known.bytes.value_or(0),
            known.space(),
            ruleIn(rules.keeps),
            ruleIn(rules.asks),
            rules.count};
  }

  const KernelAccesses& accesses_;
  const InPlaceText& text_;
  const std::string table_;
  std::map<unsigned, CountedSite> sites_;  ///< by their keys
};

}  // namespace

std::string inPlaceKernels(std::string_view ptx, std::size_t room) {
  const InPlaceText text(stateOf(ptx).name, formOfUnit(ptx));
  /// What both kernels beside one are made of.
  struct Bodies {
    std::string recorded, others;
  };
  std::map<std::string, Bodies, std::less<>> known;  // by the kernel's name
  const auto bodiesOf = [&known](std::string_view name, std::string_view body,
                                 const UnitState& state) -> Bodies& {
    const auto [found, isNew] = known.try_emplace(std::string(name));
    if (isNew) {
      const std::string recorded = withoutDeadBlocks(inTraces(body, state, true));
      found->second = {withRareValuesAway(recorded, state.name),
                       withoutDeadBlocks(inTraces(body, state, false))};
    }
    return found->second;
  };
  std::string tables;
  const auto kernelsOf = [&](std::string_view suffix) {
    const auto changed = [&](std::string_view name, std::string_view body,
                             const UnitState& state) -> std::string {
      if (mentions(name, "$cui")) return {};
      const Bodies& bodies = bodiesOf(name, body, state);
      KernelAccesses accesses(bodies.recorded, state);
      InPlaceKernel kernel(accesses, text,
                           suffix == loggedSuffix ? std::string(name) + "$cuiAccesses" : std::string());
      if (!accesses.read(CallMode::traced) || !kernel.read()) return {};
      return kernel.text(bodies.others, tables);
    };
    return kernelsBeside(ptx, suffix, room, changed);
  };
  const std::string written = kernelsOf(inPlaceSuffix), logged = kernelsOf(loggedSuffix);
  return written.empty() && logged.empty() ? std::string() : text.declarations() + tables + written + logged;
}

}  // namespace cui::cli
