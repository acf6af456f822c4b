// The accesses of a kernel for which it calls the recorder, as its PTX tells: where, of which site, of how
// many bytes, and whether in a loop. For kernels in which something else stands in these calls' place
// (tallied_kernels.h, in_place_kernels.h).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/compile/access_calls.h"
#include "cli/compile/control_flow.h"
#include "cli/compile/recorder_calls.h"
#include "cli/compile/straight_lines.h"
#include "cli/compile/unit_state.h"
#include "cuinstrument/format/record.h"

namespace cui::cli {

/// An access of a call: what the PTX says of it.
struct KnownAccess {
  std::optional<unsigned> key;    ///< beyond the unit's first one: the site and its space
  std::optional<unsigned> bytes;  ///< of a lane's
  format::Space space() const;    ///< generic, if it is not known
};

/// Of a kernel's body, in which the mode is known. It keeps the text, to which all of its views lead.
class KernelAccesses {
 public:
  /// `state`: the unit's.
  KernelAccesses(std::string body, const UnitState& state) : body_(std::move(body)), state_(state) {}
  KernelAccesses(const KernelAccesses&) = delete;
  KernelAccesses& operator=(const KernelAccesses&) = delete;

  /// False if it has what is not understood: ends for some lanes alone, calls through pointers, tables of
  /// branches. `mode`: of the calls that something else stands in place of.
  bool read(CallMode mode);

  const std::vector<AccessCall>& calls() const { return calls_; }

  bool isInLoop(const AccessCall& call) const { return flow_.comesBack(blockOf(call)); }
  /// Whether the second call may be made behind the first.
  bool mayFollow(const AccessCall& call, const AccessCall& other) const {
    return flow_.leadsTo(blockOf(call), blockOf(other));
  }
  /// How many loops that is.
  std::size_t loopsRound(const AccessCall& call) const { return flow_.loopsRound(blockOf(call)); }
  /// Whether it is of accesses that are recorded in front of their loop, nearly always.
  bool isBesideLoop(const AccessCall& call) const;
  /// Keys of what is recorded in front of loops.
  const std::set<unsigned>& inFront() const { return inFront_; }

  KnownAccess access(const AccessCall& call, unsigned which) const;
  /// The call as it is.
  std::string textOf(const AccessCall& call) const;
  /// What computes the lower half of an address, as text: alike for addresses that cicc computes anew for
  /// each access of a place. Not whether they are equal: what it is computed of may have changed.
  std::string placeOf(std::string_view address) const;
  /// Whether the address is surely less than 2^32.
  bool isNarrow(std::string_view address) const;

  /// What stands in a call's place and in front of other lines.
  struct Changes {
    std::function<bool(const AccessCall&)> isReplaced;
    /// Of one that is, or of several that are `together`, where they can be (straight_lines.h).
    std::function<std::string(std::span<const AccessCall>)> replacement;
    std::function<bool(const AccessCall&)> together;  ///< may be empty
    using OfCall = std::function<std::string(const AccessCall&)>;
    OfCall inFrontOfOthers, behindOthers;  ///< of other calls; may be empty
    std::function<std::string()> inFrontOfEnds;
    bool loadsFirst = false;  ///< loads behind a call that is replaced go in front of what it becomes
  };
  /// The body with these. What sets a call's operands stays.
  std::string changed(const Changes& changes) const;

 private:
  std::size_t blockOf(const AccessCall& call) const { return blocks_.at(lines_[call.first].data()); }
  void findKeys();
  /// The call, and all behind it that are replaced together with it.
  std::span<const AccessCall> groupFrom(std::size_t call, const Changes& changes,
                                        CallsTogether& together) const;
  /// Behind the last load of the lines behind a call that only compute and load: these go in front of what
  /// the call becomes, which hides some of the time that loads take. They set nothing that it is called with.
  std::size_t endOfLoads(const AccessCall& call, const StraightLines& straight) const;

  std::string body_;
  const UnitState& state_;
  ControlFlow flow_;
  std::vector<std::string_view> lines_;
  std::map<const char*, std::size_t> blocks_;  ///< of lines, by where they begin
  std::set<std::size_t> besides_;              ///< blocks that say that they are beside a loop's record
  std::vector<AccessCall> calls_;
  std::map<std::string_view, unsigned> settings_;       ///< of registers: by how many instructions
  std::map<std::string_view, std::string_view> setBy_;  ///< the last one of these
  std::map<std::string_view, unsigned> keys_;           ///< registers that hold that of a site
  std::set<std::string_view> narrow_;                   ///< registers that are set to a number below 2^32
  std::set<unsigned> inFront_;
};

/// Of a unit's kernels of the user's, without lean ones: a copy of each under its name and `suffix`, where
/// `changed` gives it another body, of the smallest ones for whose text there is room together: a file of
/// many small kernels would take nvcc ten times as long for these. Empty if there are none, and where lanes'
/// numbers are not combined. `changed`: of the name and the body, with the unit's state.
using ChangedBody =
    std::function<std::string(std::string_view name, std::string_view body, const UnitState& state)>;
std::string kernelsBeside(std::string_view ptx, std::string_view suffix, std::size_t room,
                          const ChangedBody& changed);

/// A kernel's body with text behind its first brace and in front of its last.
std::string withBeginAndEnd(std::string_view body, std::string_view begin, std::string_view end);

/// Whether the unit is for GPUs that combine lanes' numbers by one instruction: `redux.sync`.
bool combinesLanes(std::string_view ptx);

/// The form of the recorder's functions of accesses that the unit calls; 0: none.
unsigned formOfUnit(std::string_view ptx);

}  // namespace cui::cli
