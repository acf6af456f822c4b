// The key that a device's access carries, and the words of a unit's state that say what is recorded, as
// device code and what changes its PTX (cli/compile/tallied_kernels.h) agree on them. Depends on nothing.
#pragma once

namespace cui {
namespace format {

/// What an access carries: site << keyShift | space, in which all lanes of a record agree, and above them the
/// mode, which what each access has anyway thus tells, too.
constexpr unsigned keyShift = 3;
constexpr unsigned profileBit = 1u << 31;
constexpr unsigned warpSampleBit = 1u << 30;  ///< not all warps are recorded
/// Records tell their times. Always with warpSampleBit, so that what is short for that is long for this.
constexpr unsigned timeBit = 1u << 29;
constexpr unsigned modeBits = profileBit | warpSampleBit | timeBit;

/// Of the accesses that recordInARow() records there are two words each: the site, and, with an expression's
/// first, how many it has, from this bit on, above their bytes as its own call has them.
constexpr unsigned inARowShift = 30;

/// Bytes in front of a unit's words: the number of its first site; its key, with the mode; below which order
/// a block is recorded; whether barriers are.
/// The last but one has this bit if all blocks are, and else not.
constexpr unsigned allBlocks = 1u << 31;
constexpr unsigned firstSiteAt = 8, firstKeyAt = 12, recordedBlocksAt = 20, notesBarriersAt = 24;
/// And of one that is 0 (cuinstrument/backend/cuda/site.h: askable()).
constexpr unsigned zeroAt = 72;

/// Of one of three numbers of what a lane's requests cost, side by side in a word (backend/cuda/tally.h).
constexpr unsigned tallyBits = 21;

}  // namespace format
}  // namespace cui
