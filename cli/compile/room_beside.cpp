#include "cli/compile/room_beside.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace cui::cli {
namespace {

/// For each byte of the unit's own, but as many for the smallest files, too: ptxas takes 1.5 to 2.5 ms for a
/// KB, nvcc a second for such a file. A small kernel of one loop has 3 KB, and 25 to 40 beside it; the
/// suite's several.cu, of kernels with several loops, 5.7 times as much for records in place as for its own,
/// and whoever has such kernels is to have them all.
constexpr std::size_t mostTimesPlain = 8, leastRoom = 196'608;

}  // namespace

std::size_t roomBeside(std::size_t plain) {
  const char* const wanted = std::getenv("CUINSTRUMENT_MODE_KERNELS");
  if (wanted && std::string_view(wanted) == "all") return mostTextBeside;
  return std::clamp(mostTimesPlain * plain, leastRoom, mostTextBeside);
}

}  // namespace cui::cli
