// What a GPU adds up in profile mode, as device and host agree on it. Depends on nothing.
#pragma once

namespace cui {
namespace format {

/// Of one launch and site, for one of two classes of memory: that which is moved in sectors, and shared
/// memory, in wavefronts, whose addresses are offsets as in a record. Differences that can be negative are
/// modulo 2^64.
struct ProfileSums {
  unsigned long long requests;
  unsigned long long bytes;       ///< lanes times size
  unsigned long long excess;      ///< sectors or wavefronts beyond the ideal number
  unsigned long long idleLanes;   ///< 32 a request less the lanes that took part
  unsigned long long idealDelta;  ///< 32 * ideal sectors - bytes; ideal wavefronts - requests
  unsigned long long
      uselessBytes;               ///< bytes that several lanes asked for; shared: requests to constant memory
  unsigned long long high;        ///< address of the last byte touched
  unsigned long long inverseLow;  ///< ~address of the first byte touched
};
static_assert(sizeof(ProfileSums) == 64, "tables of them have no gaps");

/// Adds what another part of the device added up; on the host.
inline void addSums(ProfileSums& to, const ProfileSums& more) {
  to.requests += more.requests;
  to.bytes += more.bytes;
  to.excess += more.excess;
  to.idleLanes += more.idleLanes;
  to.idealDelta += more.idealDelta;
  to.uselessBytes += more.uselessBytes;
  if (more.high > to.high) to.high = more.high;
  if (more.inverseLow > to.inverseLow) to.inverseLow = more.inverseLow;
}

/// In sums of shared memory an address is an offset, or, where one block stands for all of its grid, has
/// their number above it.
constexpr unsigned offsetBits = 20, blocksBits = 31;
/// Such sums as they are of all blocks; on the host.
inline void countForAll(ProfileSums& shared) {
  const unsigned long long blocks = shared.high >> offsetBits, offsets = (1ull << offsetBits) - 1;
  if (blocks == 0) return;
  shared.requests *= blocks;
  shared.bytes *= blocks;
  shared.excess *= blocks;
  shared.idleLanes *= blocks;
  shared.idealDelta *= blocks;
  shared.high &= offsets;
  shared.inverseLow = ~(~shared.inverseLow & offsets);
}

}  // namespace format
}  // namespace cui
