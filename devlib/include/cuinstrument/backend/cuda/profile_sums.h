// Device side of profile mode: the table of totals (device_state.h: ProfileTable), and adding to it. What
// whole warps do is added up in their warp slot first (profile_warp_sums.h), what parts of warps do in their
// lowest lane's entries (profile_lane_sums.h); both move to the table by `red`, which no lane waits for, when
// another launch or site needs the place. An entry's place is computed, not looked for.
#pragma once

#include "cuinstrument/backend/cuda/identity.h"

namespace cui {
namespace backend {

/// What one access adds besides its being one.
struct ProfileChange {
  unsigned int bytes, excess, idleLanes;
  int idealDelta;
  unsigned int uselessBytes;
  unsigned long long low, high;  ///< first and last byte
};

// Without predicates, for use behind a branch that comes together again at once: ptxas makes a branch of
// every predicated `red`. No call may be in there (ring.h).
static __device__ __forceinline__ void addNow(unsigned long long* word, unsigned long long value) {
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
static __device__ __forceinline__ void raiseNow(unsigned long long* word, unsigned long long value) {
  asm volatile("red.global.max.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}
static __device__ __forceinline__ void markNow(unsigned char* byte) {
  asm volatile("st.global.u8 [%0], %1;" ::"l"(byte), "r"(1u) : "memory");
}

/// Number of the replica of a launch's row that the calling warp adds to.
static __device__ __forceinline__ unsigned int tablePiece(const ProfileTable& table, unsigned int launch) {
  const bool spread = gridDim.x * gridDim.y * gridDim.z > table.replicaMask * 4;
  const unsigned int replica = spread ? multiprocessorIndex() & table.replicaMask : 0;
  return (launch & table.rowMask) * (table.replicaMask + 1) + replica;
}
/// The table's sums of a launch and site; to be followed by noteInTable().
static __device__ __forceinline__ ProfileSums* tableSums(const ProfileTable& table, unsigned int launch,
                                                         unsigned int site, bool shared) {
  const unsigned long long pieces =
      static_cast<unsigned long long>(tablePiece(table, launch)) * table.siteCount + site;
  return table.sums + (pieces * 2 + (shared ? 1 : 0));
}
/// Which launch is known to have added to them, as noteInTable() takes it. To be asked for first: it is
/// waited for.
static __device__ __forceinline__ unsigned long long notedLaunch(const ProfileTable& table,
                                                                 unsigned int launch) {
  return loadOwn(&table.owners[tablePiece(table, launch)].launch);
}
/// Notes, for the lane that `leads`, that the table has sums of a launch and site.
static __device__ __forceinline__ void noteInTable(const ProfileTable& table, unsigned int launch,
                                                   unsigned int site, unsigned long long noted, bool leads) {
  if (!leads) return;
  markNow(table.used + ((launch & table.rowMask) * table.siteCount + site));
  const unsigned long long own = 1ull << 32 | launch;
  if (noted == own) return;
  ProfileOwner* const owner = table.owners + tablePiece(table, launch);
  raiseNow(&owner->launch, own);
  raiseNow(&owner->inverse, 1ull << 32 | ~launch);
}

/// Two neighbouring words of an entry.
struct WordPair {
  unsigned long long first, second;
};
static __device__ __forceinline__ WordPair loadPair(const unsigned long long* from) {
  WordPair pair;
  asm volatile("ld.global.v2.u64 {%0, %1}, [%2];"
               : "=l"(pair.first), "=l"(pair.second)
               : "l"(from)
               : "memory");
  return pair;
}

/// Adds to the table's sums of a launch and site, by one lane.
static __device__ __forceinline__ void addSums(const ProfileTable& table, unsigned int launch,
                                               unsigned int site, bool shared, const ProfileSums& sums) {
  noteInTable(table, launch, site, notedLaunch(table, launch), true);
  ProfileSums* const to = tableSums(table, launch, site, shared);
  addNow(&to->requests, sums.requests);
  addNow(&to->bytes, sums.bytes);
  addNow(&to->excess, sums.excess);
  addNow(&to->idleLanes, sums.idleLanes);
  addNow(&to->idealDelta, sums.idealDelta);
  addNow(&to->uselessBytes, sums.uselessBytes);
  raiseNow(&to->high, sums.high);
  raiseNow(&to->inverseLow, sums.inverseLow);
}
/// The sums of one access.
static __device__ __forceinline__ ProfileSums sumsOf(const ProfileChange& change) {
  return {1,
          change.bytes,
          change.excess,
          change.idleLanes,
          static_cast<unsigned long long>(static_cast<long long>(change.idealDelta)),
          change.uselessBytes,
          change.high,
          ~change.low};
}

}  // namespace backend
}  // namespace cui
