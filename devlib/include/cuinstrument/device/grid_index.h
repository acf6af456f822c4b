// Coordinates of a thread in its block, or of a block in its grid, where they are not those of the thread
// that asks.
#pragma once

namespace cui {

struct GridIndex {
  unsigned x, y, z;
};

}  // namespace cui
