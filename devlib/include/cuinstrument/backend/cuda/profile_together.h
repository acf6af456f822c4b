// Device side of profile mode: the accesses of one expression in one step. Eight lanes for each of them, one
// for each word of its entry, compute what it costs; whatever is not simple is left to be done one by one.
#pragma once

#include "cuinstrument/backend/cuda/profile.h"
#include "cuinstrument/backend/cuda/whole_form.h"

namespace cui {
namespace backend {

/// What a form is to costOfStride(): rows that are alike, or have one address each, are a shorter one; false
/// for others.
static __device__ __forceinline__ bool shorten(const WholeForm& whole, StrideForm& form) {
  form.address = whole.first;
  form.stride = whole.stride;
  form.lanes = 32;
  if (whole.rowBits == 0) return true;
  const bool alike = whole.rowStride == 0;
  form.lanes = alike ? 1u << whole.rowBits : 32u >> whole.rowBits;
  form.stride = alike ? whole.stride : whole.rowStride;
  return alike || whole.stride == 0;
}

/// Adds accesses of all lanes of a warp; false if nothing was done.
template <unsigned Count>
static __device__ __forceinline__ bool profileWhole(const DeviceUnit& unit,
                                                    const LaneAccess (&accesses)[Count]) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex();
  const LaneAccess mine = accessOf(accesses, lane >> 3);
  const unsigned int key = mine.key & ~modeBits, site = key >> keyShift;
  unsigned long long* const place = entryWord(unit.constants, site);  // first: it takes longest
  const unsigned long long own = loadOwn(place);
  WholeForm whole;
  StrideForm form;
  bool good = findForm(accesses, lane >> 3, whole);
  good &= shorten(whole, form);
  // Sites that share an entry go one by one.
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
#pragma unroll
    for (unsigned int k = 0; k < i; ++k)
      good &= ((accesses[i].key ^ accesses[k].key) >> keyShift & (profileEntries - 1)) != 0;
  const bool shared = spaceOf(key) == format::Space::shared;
  good &= shared | (spaceOf(key) == format::Space::global);
  good &= (lane & 7u) != 0 || own == profileKey(launchKey(), site, shared);
  ProfileChange change;
  good &= costOfStride(form, mine.bytes, shared, change);
  if (!__all_sync(mask, good)) return false;
  storeOwn(place, addedTo(own, lane & 7u, change));
  return true;
}

}  // namespace backend
}  // namespace cui
