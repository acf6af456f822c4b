// A launch of the blocks that a sample takes, in front of one with all others, which have no recorder
// (docs/adr/0019-sampled-blocks-apart.md). Its kernel cannot be told by a parameter, as others launch it,
// too: it knows such a launch by its dynamic shared memory, of which the table's row that this names has to
// agree in all else. What it then finds there is its place in the program's grid, which it leaves for the
// recorder at the end of the block's shared memory. The device's code for it is PTX:
// cli/compile/split_prologue.h.
#pragma once

#include "cuinstrument/format/record.h"

namespace cui {
namespace format {

/// A row: a grid as the program launches it, and what is launched for its sample.
struct SplitGrid {
  uint32_t grid[3];
  uint32_t sharedBytes;  ///< dynamic, of the sample's launch
  uint32_t blocks;       ///< of the sample
  uint32_t unused[3];
};
constexpr uint32_t splitGrids = 64;  ///< rows; what finds none is launched as ever
constexpr uint32_t mostSplitBlocks = 1u << 18;

/// In the host's memory, mapped. What a launch may read is not changed any more.
struct SplitTable {
  SplitGrid grids[splitGrids];
  uint32_t blocks[mostSplitBlocks];  ///< all numbers that a sample takes, from 0 on
};

/// Dynamic shared memory of a launch by the row `number`, for a kernel that is to have so many bytes: an odd
/// number, with room for a SplitBlock. Most other launches differ in these bits.
constexpr uint32_t splitSharedMask = 0x381, splitSharedBits = 0x201;
CUI_FORMAT_HD constexpr uint64_t splitSharedBytes(uint64_t bytes, uint32_t number) {
  return (bytes + 1023) / 1024 * 1024 + splitSharedBits + uint64_t{2} * number;
}
CUI_FORMAT_HD constexpr uint32_t splitNumber(uint32_t sharedBytes) {
  return sharedBytes / 2 % splitGrids;
}
static_assert((splitSharedBytes(0, splitGrids - 1) & splitSharedMask) == splitSharedBits, "whatever the row");

/// At the last multiple of 16 that leaves room for it in front of the end of the block's shared memory.
struct SplitBlock {
  uint32_t block[3], linearBlock;
  uint32_t grid[3], mark;
};
constexpr uint32_t splitMark = 0x5b10c7a9;

}  // namespace format
}  // namespace cui
