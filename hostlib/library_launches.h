// Launches of one device by code that was not rewritten (Thrust, CUB, a static library), and which grids are
// theirs.
//
// Kernels of the program's that such code launches announce themselves as any do. Its own kernels do not, but
// may call functions of the program's, a functor say, and those record. Of such a grid only its number is
// known, and which blocks and warps have records. Numbers grow in the order of the launches, by one at each.
//
// Used by the drain thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include "hostlib/waiting_grids.h"

namespace cui::hostlib {

class LibraryLaunches {
 public:
  /// A grid that has records and has not said which kernel it is.
  struct Grid {
    std::uint64_t number = 0;
    std::uint32_t blocks = 0, warps = 0;  ///< it has at least so many, in a block
  };
  struct Found {
    std::uint64_t grid = 0, launchId = 0;
    bool chosen = true;    ///< as addSilent() was told
    bool certain = false;  ///< by its number; else the first that has such blocks
  };
  using Known = std::map<std::uint64_t, std::uint64_t>;  ///< launches by their grid's number

  /// Launches come in host order. One whose kernel announces itself:
  void addAnnouncing(std::uint64_t launchId, LaunchShape shape);
  /// One that does not, of so many blocks and threads in each; 0 blocks: it records nothing either. `chosen`:
  /// its records are wanted.
  void addSilent(std::uint64_t launchId, std::uint32_t blocks, std::uint32_t threads, bool chosen = true);

  /// Whether one announces itself by this entry.
  bool expects(const LaunchShape& entry) const;
  /// The first that does, which is waited for no more; 0: there is none.
  std::uint64_t take(const LaunchShape& entry);
  /// Whose grids these are, as far as that can be said; `grids` by number. They are waited for no more.
  /// `known`: some of the last, and all between these; or none.
  std::vector<Found> take(const std::vector<Grid>& grids, const Known& known);
  bool anySilent() const { return !silent_.empty(); }

 private:
  struct Extents {
    std::uint32_t blocks = 0, threads = 0;
    bool chosen = true;
  };
  using Silent = std::map<std::uint64_t, Extents>;  ///< by launch, in host order
  static bool fits(const Extents& launch, const Grid& grid);
  std::vector<Found> between(const std::vector<Grid>& grids, Known::const_iterator after,
                             const Known& known) const;

  std::list<std::pair<std::uint64_t, LaunchShape>> announcing_;
  Silent silent_;
};

}  // namespace cui::hostlib
