// PTX by which a kernel writes the records of its accesses itself (in_place_kernels.h): the registers that
// hold its lanes' chunks and counts, what stands in a call's place, and what gives all that back.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/compile/access_calls.h"
#include "cuinstrument/format/record.h"

namespace cui::cli {

/// A site's count, in a register that is numbered in a kernel.
struct CountedSite {
  unsigned number = 0;
  unsigned siteKey = 0;  ///< beyond the unit's first key: the site and its space
};

/// An access, with the operands that the call of the recorder had in whose place it stands.
struct WrittenAccess {
  CountedSite site;
  unsigned number = 0, call = 0;  ///< in the kernel, for labels and registers
  std::string_view address;
  unsigned bytes = 0;
  format::Space space = format::Space::generic;
  /// Of shared memory: the rule that a whole warp followed here is kept in registers of that number; the one
  /// that these have is asked first.
  std::optional<unsigned> keeps, asks;
  unsigned rules = 0;  ///< how many of them the kernel has
};

/// For a unit with that state, whose functions of the recorder are of that form (formOf()).
class InPlaceText {
 public:
  InPlaceText(std::string_view state, unsigned form);

  /// Of the functions that the following call.
  std::string declarations() const;

  /// For the beginning of a kernel's body: its registers.
  struct Counts {
    std::vector<unsigned> siteKeys;  ///< by the sites' numbers
    unsigned accesses = 0, calls = 0, rules = 0, loops = 0;
    std::string table;  ///< of what accesses are, for a kernel that logs them (logged()); else empty
    bool logs() const { return !table.empty(); }
    unsigned sites() const { return static_cast<unsigned>(siteKeys.size()); }
  };
  std::string registers(const Counts& counts) const;
  /// Behind what a kernel begins with of ours (split_prologue.h), if it does: blocks that are not recorded go
  /// to the second body (split_bodies.h). Then nothing is held, nothing counted, no rule known, and what all
  /// of a lane's records have in common. `ofProgram`: registers have the place in the grid.
  std::string beginning(const Counts& counts, bool ofProgram) const;

  /// What stands in a call's place, or that of several: first who comes, then each access. And what goes
  /// behind the body.
  std::string question(unsigned call) const;
  std::string access(const WrittenAccess& access) const;
  std::string otherwise(const WrittenAccess& access) const;

  /// The same of two accesses one behind the other, if they ask alike.
  static bool arePair(const WrittenAccess& first, const WrittenAccess& second);
  std::string pair(const WrittenAccess& first, const WrittenAccess& second) const;
  std::string pairOtherwise(const WrittenAccess& first, const WrittenAccess& second) const;

  /// For a sample's blocks: what the accesses of a call, or of several, become in a kernel whose lanes log
  /// what they access (format/lane_log.h), without any question to the others but who comes; what goes behind
  /// the body; and the table of all, in front of the kernel.
  std::string logged(std::span<const WrittenAccess> accesses) const;
  std::string loggedOtherwise(std::span<const WrittenAccess> accesses, const Counts& counts) const;
  static std::string tableOf(const Counts& counts, std::span<const WrittenAccess> accesses);

  /// What stands in place of a call for a loop's accesses, which is the `loop`-th one, and behind the body:
  /// there `otherwise` is the call itself, with what is round others.
  std::string loop(const AccessCall& call, unsigned loop) const;
  std::string loopOtherwise(const AccessCall& call, unsigned loop, std::string_view otherwise) const;

  /// In front of other calls: what lanes hold is put back. `number`: of all of these places.
  std::string putBack(unsigned number) const;
  /// Round other calls: what a lane has in registers is in its own memory meanwhile, and no rule is known
  /// behind them. They keep few registers, and ptxas would have these values in memory everywhere.
  std::string putAway(const Counts& counts) const;
  std::string takeBack(const Counts& counts) const;
  /// For an end of the kernel.
  std::string end(const Counts& counts) const;

 private:
  using Parts = std::vector<std::pair<std::string, std::string>>;  ///< words in a text, and what they become
  Parts partsOf(const WrittenAccess& access) const;
  std::string filled(std::string_view text, const WrittenAccess& access) const;
  std::string filled(std::string_view text, const WrittenAccess& first, const WrittenAccess& second) const;
  std::string rest() const;
  static std::string recordCall();
  static std::string countsAndKeysAway(const Counts& counts);
  static std::string countsBack(const Counts& counts);
  static unsigned placeAway(unsigned site);
  static std::string ofLog(std::string_view text, const Counts& counts);
  std::string filledOfLog(std::string_view text, std::span<const WrittenAccess> accesses) const;
  /// What stands for words of a loop's text that a call or its accesses decide.
  struct LoopWords;
  static LoopWords wordsOf(const AccessCall& call);
  std::string filledOfLoop(std::string_view text, const AccessCall& call, unsigned loop) const;

  std::string state_, record_, hold_, putBack_, findCounts_, end_, logAnew_, endLogged_;
};

}  // namespace cui::cli
