// What is asked about a row of the grid: coordinates of a thread in its block, or of a block in its grid,
// where they are not those of the thread that asks; and the answer of a place that others share
// (CUI_BEGIN_ROW).
#pragma once

namespace cui {

struct GridIndex {
  unsigned x, y, z;
};

/// A place's answer where its threads have nothing left to do at it, nor at those that share it: another warp
/// accounts for them, or nothing is recorded. One comparison tells it, and kernels need not keep what else
/// they know, as likely as not in local memory.
constexpr unsigned cuiNothingLeft = ~0u;

}  // namespace cui
