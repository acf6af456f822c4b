// PTX of the tallies of a kernel's sites (tallied_kernels.h): the registers that hold them, what an access
// adds to them, and what adds them to the profile.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cui::cli {

/// A site's tally, in registers that are numbered in a kernel.
struct Tally {
  unsigned number = 0;
  unsigned siteKey = 0;    ///< beyond the unit's first key: the site and its space
  unsigned bytes = 0;      ///< of a lane's access
  bool shared = false;     ///< what accesses cost are wavefronts; else sectors
  bool oneWindow = false;  ///< all addresses are less than 2^32
};

/// An access, with the operands that the call of the recorder had in whose place it stands.
struct TalliedAccess {
  unsigned number = 0;  ///< in the kernel, for its labels and registers
  std::string_view key, address;
  std::optional<unsigned> first = std::nullopt;  ///< number of the first of those that it is together with
};
struct AccessOfTally {
  Tally tally;
  TalliedAccess access;
};

/// For a unit with that state, whose functions of the recorder are of that form (formOf()).
class TallyText {
 public:
  TallyText(std::string_view state, unsigned form);

  /// Of the functions that the following call.
  std::string declarations() const;

  /// For the beginning of a kernel's body: its registers, memory for tallies that are put away, if they are,
  /// and an empty tally.
  std::string registers(unsigned tallies, unsigned accesses, bool putsAway) const;
  std::string empty(const Tally& tally) const;

  /// What stands in a call's place, and what goes behind the body for accesses that are not simple.
  std::string access(const Tally& tally, const TalliedAccess& access) const;
  /// `away`: tallies that are put away meanwhile.
  std::string otherwise(const Tally& tally, const TalliedAccess& access,
                        const std::vector<Tally>& away) const;
  /// The same of several of shared memory, made by the same lanes one after the other.
  std::string together(std::vector<AccessOfTally> accesses) const;
  std::string otherwiseTogether(const std::vector<AccessOfTally>& accesses,
                                const std::vector<Tally>& away) const;
  /// An access without a tally.
  std::string untallied(const TalliedAccess& access, unsigned bytes) const;

  /// Round other calls, which keep few registers: there a tally is in the lane's own memory, or ptxas would
  /// have it in memory everywhere.
  std::string putAway(const std::vector<Tally>& tallies) const;
  std::string takeBack(const std::vector<Tally>& tallies) const;

  /// For an end of the kernel; `number`: of all tallies' ends.
  std::string end(const Tally& tally, unsigned number) const;

 private:
  std::string filled(std::string_view text, const Tally& tally, const TalliedAccess& access) const;
  std::string notTallied(const Tally& tally, const TalliedAccess& access,
                         const std::vector<Tally>& away) const;

  std::string state_, wavefronts_, add_, untallied_;
};

}  // namespace cui::cli
