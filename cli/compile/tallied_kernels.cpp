#include "cli/compile/tallied_kernels.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <set>
#include <vector>

#include "cli/compile/dead_blocks.h"
#include "cli/compile/kernel_accesses.h"
#include "cli/compile/mode_kernels.h"
#include "cli/compile/tally_text.h"
#include "cli/compile/unit_state.h"

namespace cui::cli {
namespace {

/// A tally takes five or six. What a kernel has no registers for it keeps in local memory, which costs more
/// than tallies save.
constexpr unsigned mostTallies = 6;
/// Of these sites, as often as loops are unrolled: each is some 150 lines, over which ptxas takes its time.
constexpr unsigned mostTalliedAccesses = 24;

/// A kernel's body, in which the mode is known.
class TalliedKernel {
 public:
  TalliedKernel(const KernelAccesses& accesses, const TallyText& text) : accesses_(accesses), text_(text) {}

  /// Finds what is to be tallied. False if nothing is.
  bool read() {
    std::size_t others = 0, accesses = 0;
    for (const AccessCall& call : accesses_.calls()) {
      if (countOf(call) == 0 || !accesses_.isInLoop(call)) continue;
      accesses += countOf(call);
      mostLoops_ = std::max(mostLoops_, accesses_.loopsRound(call));
      if (!accesses_.isBesideLoop(call)) others += addTallies(call);
    }
    findAway();
    return tallies_.size() <= mostTallies && others < tallies_.size() && accesses <= mostTalliedAccesses;
  }

  std::string text() const {
    std::string behind;
    unsigned accesses = 0, ends = 0;
    KernelAccesses::Changes changes;
    changes.loadsFirst = true;
    changes.isReplaced = [this](const AccessCall& call) { return isReplaced(call); };
    changes.together = [this](const AccessCall& call) { return isOfSharedTallies(call); };
    changes.replacement = [&](std::span<const AccessCall> calls) {
      std::string all;
      if (isOfSharedTallies(calls.front())) {
        addTogether(calls, accesses, all, behind);
        return all;
      }
      for (unsigned which = 0; which < countOf(calls.front()); ++which)  // the only one
        addAccess(calls.front(), which, accesses++, all, behind);
      return all;
    };
    changes.inFrontOfOthers = [&](const AccessCall& call) {
      return isFarOutside(call) && !isInFrontOfAll(call) ? text_.putAway(away_) : std::string();
    };
    changes.behindOthers = [&](const AccessCall& call) {
      if (isInFrontOfAll(call)) return emptyTallies();
      return isFarOutside(call) ? text_.takeBack(away_) : std::string();
    };
    changes.inFrontOfEnds = [&] {
      std::string all;
      for (const Tally& tally : tallies_) all += text_.end(tally, ends++);
      return all;
    };
    const std::string body = accesses_.changed(changes);
    std::string begin = text_.registers(static_cast<unsigned>(tallies_.size()), accesses, !away_.empty());
    return withBeginAndEnd(body, begin + emptyTallies(), behind);
  }

 private:
  static unsigned countOf(const AccessCall& call) { return call.count(CallMode::profiled); }

  template <class Tallies>
  static auto tallyWith(Tallies& tallies, const KnownAccess& access) {
    return std::find_if(tallies.begin(), tallies.end(), [&](const Tally& tally) {
      return tally.siteKey == access.key && tally.bytes == access.bytes;
    });
  }

  /// What can be of the call's accesses. Returns how many cannot, and are made each time round all the same.
  unsigned addTallies(const AccessCall& call) {
    unsigned others = 0;
    for (unsigned which = 0; which < countOf(call); ++which) {
      const KnownAccess access = accesses_.access(call, which);
      if (access.key && accesses_.inFront().count(*access.key) != 0) continue;
      const bool shared = access.space() == format::Space::shared;
      const unsigned bytes = access.bytes.value_or(0);  // which is no power of two
      if ((!shared && access.space() != format::Space::global) || !std::has_single_bit(bytes) ||
          bytes > (shared ? 4u : 32u)) {
        ++others;
        continue;
      }
      const bool isNarrow = accesses_.isNarrow(call.address(which));
      const auto known = tallyWith(tallies_, access);
      if (known == tallies_.end())
        tallies_.push_back(
            {static_cast<unsigned>(tallies_.size()), access.key.value_or(0), bytes, shared, isNarrow});
      else
        known->oneWindow = known->oneWindow && isNarrow;
    }
    return others;
  }
  /// Whether something else stands in its place: in a loop, a call of a function that preserves more
  /// registers for the tallies, and takes longer.
  bool isReplaced(const AccessCall& call) const {
    return countOf(call) != 0 && accesses_.isInLoop(call) && call.bytes(0).has_value();
  }
  /// Whether loops are inside of the loops that the call is in, so that tallies are needed much more often
  /// than it is made.
  bool isFarOutside(const AccessCall& call) const {
    constexpr std::size_t farOutside = 2;
    return accesses_.loopsRound(call) + farOutside <= mostLoops_;
  }
  /// Whether no access has been tallied there. Then tallies begin behind it: ptxas would have what lives
  /// across it in memory everywhere. More than a few it has there all the same.
  bool isInFrontOfAll(const AccessCall& call) const {
    constexpr std::size_t fewTallies = 3;
    if (!away_.empty() || tallies_.size() > fewTallies) return false;
    const auto& calls = accesses_.calls();
    return !accesses_.isInLoop(call) &&
           std::none_of(calls.begin(), calls.end(), [&](const AccessCall& other) {
             return isReplaced(other) && accesses_.mayFollow(other, call);
           });
  }
  std::string emptyTallies() const {
    std::string text;
    for (const Tally& tally : tallies_) text += text_.empty(tally);
    return text;
  }
  /// Tallies are put away round such calls, if some are in loops themselves: ptxas would have tallies in
  /// memory in all of these. With fewer loops it does better.
  void findAway() {
    for (const AccessCall& call : accesses_.calls())
      if (!isReplaced(call) && accesses_.isInLoop(call) && isFarOutside(call)) away_ = tallies_;
  }
  /// Whether each of its accesses has a tally, of shared memory: what is asked of lanes is a word there, and
  /// registers are for several at once.
  bool isOfSharedTallies(const AccessCall& call) const {
    for (unsigned which = 0; which < countOf(call); ++which) {
      const KnownAccess known = accesses_.access(call, which);
      const auto tally = tallyWith(tallies_, known);
      if (!known.key || tally == tallies_.end() || !tally->shared) return false;
    }
    return true;
  }
  void addTogether(std::span<const AccessCall> calls, unsigned& number, std::string& body,
                   std::string& behind) const {
    std::vector<AccessOfTally> all;
    for (const AccessCall& call : calls)
      for (unsigned which = 0; which < countOf(call); ++which)
        all.push_back({*tallyWith(tallies_, accesses_.access(call, which)),
                       {number++, call.key(which), call.address(which)}});
    if (all.size() == 1) {
      body += text_.access(all.front().tally, all.front().access);
      behind += text_.otherwise(all.front().tally, all.front().access, away_);
    } else {
      body += text_.together(all);
      behind += text_.otherwiseTogether(all, away_);
    }
  }
  void addAccess(const AccessCall& call, unsigned which, unsigned number, std::string& body,
                 std::string& behind) const {
    const TalliedAccess access = {number, call.key(which), call.address(which)};
    const KnownAccess known = accesses_.access(call, which);
    const auto tally = tallyWith(tallies_, known);
    if (!known.key || tally == tallies_.end()) {
      body += text_.untallied(access, known.bytes.value_or(0));
      return;
    }
    body += text_.access(*tally, access);
    behind += text_.otherwise(*tally, access, away_);
  }

  const KernelAccesses& accesses_;
  const TallyText& text_;
  std::vector<Tally> tallies_, away_;  ///< away_: all of them or none
  std::size_t mostLoops_ = 0;          ///< round a call of accesses
};

}  // namespace

std::string talliedKernels(std::string_view ptx, std::size_t room) {
  const TallyText text(stateOf(ptx).name, formOfUnit(ptx));
  const std::set<std::string_view> byRows = kernelsByRows(ptx);
  const std::string kernels = kernelsBeside(
      ptx, talliedSuffix, room,
      [&](std::string_view name, std::string_view body, const UnitState& state) -> std::string {
        if (byRows.count(name) != 0 || !mentions(body, "InMode")) return {};
        KernelAccesses accesses(withoutDeadBlocks(inProfiles(body, state)), state);
        TalliedKernel kernel(accesses, text);
        return accesses.read(CallMode::profiled) && kernel.read() ? kernel.text() : std::string();
      });
  return kernels.empty() ? kernels : text.declarations() + kernels;
}

}  // namespace cui::cli
