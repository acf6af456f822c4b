// Device side of profile mode: what each access costs is computed at once and added to the totals of its
// launch and site. The formulas are those of docs/metrics.md; db/store/metrics.cpp is the reference that the
// tests on a GPU compare with. This is the short way, for whole warps; profile_lanes.h takes the rest.
#pragma once

#include "cuinstrument/backend/cuda/profile_aligned.h"
#include "cuinstrument/backend/cuda/whole_form.h"

namespace cui {
namespace backend {

/// Addresses that are affine in a lane's number, of `lanes` lanes, or rows of such, affine in their number;
/// the other lanes of the warp repeat them.
struct StrideForm {
  unsigned long long address;  ///< of the first
  int stride;
  unsigned int lanes;  ///< of a row
  unsigned int rows;   ///< where there are several, they have 32 lanes together, and strides that are not 0
  int rowStride;       ///< where there are several
};

/// What a warp's form is to costOfStride(): rows that are alike, or have one address each, are one row.
static __device__ __forceinline__ StrideForm shortened(const WholeForm& whole) {
  if (whole.rowBits == 0) return {whole.first, whole.stride, 32, 1, 0};
  const unsigned int width = 1u << whole.rowBits, rows = 32u >> whole.rowBits;
  if (whole.rowStride == 0) return {whole.first, whole.stride, width, 1, 0};
  if (whole.stride == 0) return {whole.first, whole.rowStride, rows, 1, 0};
  return {whole.first, whole.stride, width, rows, whole.rowStride};
}

/// Passes through the banks that rows of neighbouring words take, less one. False if there is no closed form.
static __device__ __forceinline__ bool excessOfRows(const StrideForm& form, unsigned int rowWords,
                                                    unsigned int& excess) {
  // Rows in step with each other's banks lie in as many places as their distance leads to; two others share
  // some banks, if they share no words.
  const unsigned int places =
      rowWords >> lowestLane(form.lanes) | form.rows;  // a row's lanes: a power of two
  const bool inStep = (rowWords & (form.lanes - 1)) == 0;
  excess = inStep ? (places & (0u - places)) - 1 : 1;
  return inStep || (form.rows == 2 && rowWords > form.lanes);
}

/// What an access of `threads` lanes costs, in closed form where there is one. Of a part of a warp the lanes
/// are neighbours.
static __device__ __forceinline__ bool costOfStride(const StrideForm& form, unsigned int bytes, bool shared,
                                                    ProfileChange& change, unsigned int threads = 32) {
  const unsigned int step = static_cast<unsigned int>(form.stride < 0 ? -form.stride : form.stride);
  const unsigned int rowStep =
      static_cast<unsigned int>(form.rowStride < 0 ? -form.rowStride : form.rowStride);
  const unsigned int last = form.lanes - 1;
  const unsigned int places = step | rowStep | static_cast<unsigned int>(form.address);
  const bool isOne = form.rows == 1;
  change.bytes = threads * bytes;
  change.idleLanes = 32 - threads;
  change.excess = change.uselessBytes = 0;
  change.idealDelta = 0;
  change.low =
      form.address + static_cast<long long>(form.stride < 0 ? form.stride : 0) * static_cast<int>(last);
  change.high = change.low + static_cast<unsigned long long>(step) * last + bytes - 1;
  const unsigned int sectorsOfRow = static_cast<unsigned int>((change.high >> 5) - (change.low >> 5)) + 1;
  const long long beyond = static_cast<long long>(form.rowStride) * static_cast<int>(form.rows - 1);
  if (form.rowStride < 0)
    change.low += static_cast<unsigned long long>(beyond);
  else
    change.high += static_cast<unsigned long long>(beyond);
  if (shared) {
    if (bytes == 4 && (places & 3u) == 0) {
      if (!isOne) return step == 4 && excessOfRows(form, rowStep / 4, change.excess);
      // Lanes step through the banks in a cycle of 32 / gcd(words, 32) banks.
      const unsigned int words = step / 4 | 32u;
      const unsigned int divisor = words & (0u - words);
      change.excess = step == 0 ? 0 : (form.lanes * divisor + 31) / 32 - 1;
      return true;
    }
    // Eight and sixteen bytes are served for a half and a quarter of the warp at a time: a row, or part of
    // it.
    const bool oneEach =
        threads == 32 && ((step == 0 && isOne) || (step == bytes && form.lanes * bytes >= 128));
    if ((bytes != 8 && bytes != 16) || (places & (bytes - 1)) != 0 || !oneEach) return false;
    change.idealDelta = static_cast<int>(bytes / 4) - 1;
    return true;
  }
  // Up to a gap of 31 bytes no sector of the span is left out; beyond, every lane has its own.
  const bool dense = step < bytes + 32;
  const bool aligned = (bytes & (bytes - 1)) == 0 && bytes <= 32 && (places & (bytes - 1)) == 0;
  // Rows that begin at the same place of a sector, and share none, cost the same.
  const bool apart = isOne | (dense & ((rowStep & 31u) == 0) & (rowStep >= 32 * sectorsOfRow));
  if (!apart || (!dense && !aligned)) return false;
  const unsigned int sectors = form.rows * (dense ? sectorsOfRow : form.lanes);
  const unsigned int useful = form.rows * (last * min(step, bytes) + bytes);
  const unsigned int ideal = (useful + 31) / 32;
  change.excess = sectors - ideal;
  change.idealDelta = static_cast<int>(32 * ideal - change.bytes);
  change.uselessBytes = change.bytes - useful;
  return true;
}

/// Adds an access of a whole warp that is not the simplest; false if it has no closed form.
CUI_OF_ANY_MODE
__device__ CUI_STEP bool profileStride(const DeviceUnit& unit, unsigned int key, unsigned long long first,
                                       int stride, unsigned int bytes) {
  const StrideForm form = {first, stride, 32, 1, 0};
  const bool shared = spaceOf(key) == format::Space::shared;
  ProfileChange change;
  // Asked of all lanes, so that they are known to stay together: see addAccess().
  if (!__all_sync(0xffffffffu, costOfStride(form, bytes, shared, change))) return false;
  addToEntry(unit, key >> keyShift, shared, change);
  return true;
}

/// A block narrower than a warp has several rows in it, which follow a rule of their own. False if they do
/// not, or if it has no closed form.
CUI_OF_ANY_MODE
__device__ CUI_STEP bool profileRows(const DeviceUnit& unit, unsigned int key, unsigned long long address,
                                     unsigned int bytes) {
  const bool shared = spaceOf(key) == format::Space::shared;
  const unsigned int width = rowWidth(), lane = laneIndex();
  const unsigned int low = static_cast<unsigned int>(address);
  WholeForm whole;
  whole.first = __shfl_sync(0xffffffffu, address, 0);
  const unsigned int first = static_cast<unsigned int>(whole.first);
  whole.stride = static_cast<int>(__shfl_sync(0xffffffffu, low, 1) - first);
  whole.rowStride = static_cast<int>(__shfl_sync(0xffffffffu, low, width & 31u) - first);
  whole.rowBits = lowestLane(width);
  const long long offset = static_cast<long long>(whole.stride) * static_cast<int>(lane & (width - 1)) +
                           static_cast<long long>(whole.rowStride) * static_cast<int>(lane >> whole.rowBits);
  const bool follows = width < 32 && address == whole.first + static_cast<unsigned long long>(offset);
  const StrideForm form = shortened(whole);
  ProfileChange change;
  const bool hasCost = costOfStride(form, bytes, shared, change);
  if (!__all_sync(0xffffffffu, follows & hasCost)) return false;
  addToEntry(unit, key >> keyShift, shared, change);
  return true;
}

/// Adds an access of a whole warp; false if its lanes follow no rule.
static __device__ __forceinline__ bool addWhole(const DeviceUnit& unit, const LaneAccess& own,
                                                const WholeAccess& whole) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int key = own.key & ~modeBits, site = key >> keyShift, bytes = own.bytes;
  const bool shared = spaceOf(key) == format::Space::shared;
  const WholeAnswers is = answersOf(own, whole);
  // All are asked before any answer is used: an answer takes time, another question next to none.
  const bool allSimple = __all_sync(mask, is.simple), allReady = __all_sync(mask, is.ready),
             allFollow = __all_sync(mask, is.follows);
  if (allSimple & allReady) {
    addSimple(own, whole);
    return true;
  }
  if (allSimple) {
    addToAnother(unit, site, shared, costOfDense(whole.first, bytes, shared));
    return true;
  }
  if (allFollow) return profileStride(unit, key, whole.first, is.stride, bytes);
  return blockDim.x < 32 && __all_sync(mask, is.together) && profileRows(unit, key, own.address, bytes);
}
/// Adds an access of neighbours, as at the end of an array or where a block's threads become fewer; false if
/// its lanes are not that, or follow no rule.
CUI_OF_ANY_MODE
__device__ CUI_STEP bool profilePart(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                     unsigned long long address, unsigned int bytes) {
  const unsigned int leader = lowestLane(mask), threads = static_cast<unsigned int>(__popc(mask));
  const unsigned int run = mask >> leader;
  if ((run & (run + 1)) != 0) return false;
  const bool shared = spaceOf(key) == format::Space::shared;
  const bool hasForm = shared | (spaceOf(key) == format::Space::global);
  const unsigned long long first = __shfl_sync(mask, address, leader);
  const unsigned int second =
      __shfl_sync(mask, static_cast<unsigned int>(address), leader + (threads > 1 ? 1 : 0));
  const bool together = (__shfl_sync(mask, key, leader) == key) & hasForm;
  const int stride = static_cast<int>(second - static_cast<unsigned int>(first));
  const bool follows =
      address == first + static_cast<unsigned long long>(static_cast<long long>(stride) *
                                                         static_cast<int>(laneIndex() - leader));
  ProfileChange change;
  const StrideForm form = {first, stride, threads, 1, 0};
  if (!__all_sync(mask, together & follows) || !costOfStride(form, bytes, shared, change, threads))
    return false;
  addChange(unit, mask, siteOnly(key) | (shared ? 1u : 0u), bytes, change);
  return true;
}

#if defined(CUI_RECORDER_MODULE)
/// What the short ways leave.
CUI_OF_ANY_MODE
__device__ __noinline__ void profileGenerally(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                              unsigned long long address, unsigned int bytes) {
  if (mask != 0xffffffffu && profilePart(unit, mask, key, address, bytes)) return;
  profileLanes(unit, mask, key, address, bytes);
}
/// The same, where not all warps may be recorded (recorder.h).
CUI_OF_MODES
__device__ __noinline__ void profileOtherwise(const DeviceUnit& unit, unsigned int mask,
                                              unsigned int keyAndMode, unsigned long long address,
                                              unsigned int bytes);

/// Adds an access of the lanes of `mask`. What makes it not simple is asked for in one question, and each
/// branch depends on what the lanes have been asked: ptxas knows then that they stay together, and neither
/// makes them meet again nor tests whether they have.
template <bool Selects>
static __device__ __forceinline__ void addAccess(const DeviceUnit& unit, unsigned int mask,
                                                 unsigned int keyAndMode, unsigned long long address,
                                                 unsigned int bytes) {
  const LaneAccess own = {address, keyAndMode, bytes};
  if (mask == 0xffffffffu) {
    const EntryWord word = wordOf(unit, own);
    const bool ruleless = isRuleless(word, own);
    if (!ruleless && addWhole(unit, own, wholeAccess(word, own))) return;
    if (addTeam<true>(unit, teamOf(0xffffffffu), own)) {
      if (ruleless) return;
      return claimRuleless(unit, own.key);
    }
  } else if (addTeam<false>(unit, teamOf(mask), own)) {
    return;
  }
  if (Selects) return profileOtherwise(unit, mask, keyAndMode, address, bytes);
  profileGenerally(unit, mask, keyAndMode, address, bytes);
}
#else
template <bool>
static __device__ __forceinline__ void addAccess(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                                 unsigned long long address, unsigned int bytes) {
  const LaneAccess own = {address, key, bytes};
  // Where the compiler knows that it is all lanes, it leaves out the tests for lanes that have parted.
  if (mask == 0xffffffffu) {
    if (!addWhole(unit, own, wholeAccess(wordOf(unit, own), own)))
      profileLanes(unit, 0xffffffffu, key, address, bytes);
    return;
  }
  if (hasPartForms && profilePart(unit, mask, key, address, bytes)) return;
  profileLanes(unit, mask, key, address, bytes);
}
#endif
CUI_OF_ANY_MODE
__device__ __noinline__ void profileWarp(const DeviceUnit& unit, unsigned int mask, unsigned int key,
                                         unsigned long long address, unsigned int bytes) {
  addAccess<false>(unit, mask, key, address, bytes);
}

}  // namespace backend
}  // namespace cui
