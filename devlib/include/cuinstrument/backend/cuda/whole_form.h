// Device side: the rules that the addresses of whole warps follow, of all accesses of one expression at once.
#pragma once

#include "cuinstrument/backend/cuda/identity.h"

namespace cui {
namespace backend {

/// Addresses affine in the lane, or in column and row of a narrow block.
struct WholeForm {
  unsigned long long first;
  int stride;
  int rowStride;         ///< where rowBits is not 0
  unsigned int rowBits;  ///< binary logarithm of a row's lanes; 0: affine in the lane
};

/// Accesses of one expression, of the calling lane.
template <unsigned Count>
struct LaneAccesses {
  LaneAccess of[Count];
};

/// The one with number `which`, or else the first.
template <unsigned Count>
static __device__ __forceinline__ LaneAccess accessOf(const LaneAccess (&accesses)[Count],
                                                      unsigned int which) {
  LaneAccess own = accesses[0];
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
    if (which == i) own = accesses[i];
  return own;
}

/// Whether the calling lane's addresses follow such rules; `form` is that of accessOf(accesses, which).
/// Called by all lanes of a warp. All questions to other lanes are asked together: each group of them costs a
/// test for lanes that have parted.
template <unsigned Count>
static __device__ __forceinline__ bool findForm(const LaneAccess (&accesses)[Count], unsigned int which,
                                                WholeForm& form) {
  constexpr unsigned int mask = 0xffffffffu;
  const unsigned int lane = laneIndex();
  unsigned long long placed[Count], first[Count];
  unsigned int second[Count];
  // The space in the highest bits of what is compared: generic pointers can lead into several.
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i)
    placed[i] = accesses[i].address ^ static_cast<unsigned long long>(spaceOf(accesses[i].key)) << 60;
  // Lanes from other expressions can have met here.
  const bool alike = __shfl_sync(mask, accesses[0].key, 0) == accesses[0].key;
#pragma unroll
  for (unsigned int i = 0; i < Count; ++i) {
    first[i] = __shfl_sync(mask, placed[i], 0);
    second[i] = __shfl_sync(mask, static_cast<unsigned int>(placed[i]), 1);
  }
  bool good = alike;
  const unsigned int width = blockDim.x < 32 ? rowWidth() : 32;
  unsigned int row[Count] = {}, rowBits[Count] = {};
  if (width < 32) {
    const unsigned int log2Width = lowestLane(width);
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i)
      row[i] = __shfl_sync(mask, static_cast<unsigned int>(placed[i]), width);
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) {
      const int stride = static_cast<int>(second[i] - static_cast<unsigned int>(first[i]));
      const int rowStride = static_cast<int>(row[i] - static_cast<unsigned int>(first[i]));
      const long long offset = static_cast<long long>(stride) * static_cast<int>(lane & (width - 1)) +
                               static_cast<long long>(rowStride) * static_cast<int>(lane >> log2Width);
      good &= placed[i] == first[i] + static_cast<unsigned long long>(offset);
      if (rowStride != stride * static_cast<int>(width)) rowBits[i] = log2Width;
    }
  } else {
#pragma unroll
    for (unsigned int i = 0; i < Count; ++i) {
      const int stride = static_cast<int>(second[i] - static_cast<unsigned int>(first[i]));
      good &= placed[i] == first[i] + static_cast<unsigned long long>(static_cast<long long>(stride) *
                                                                      static_cast<int>(lane));
    }
  }
  unsigned int next = second[0], nextRow = row[0], key = accesses[0].key;
  form.first = first[0];
  form.rowBits = rowBits[0];
#pragma unroll
  for (unsigned int i = 1; i < Count; ++i)
    if (which == i) {
      form.first = first[i];
      form.rowBits = rowBits[i];
      next = second[i];
      nextRow = row[i];
      key = accesses[i].key;
    }
  form.stride = static_cast<int>(next - static_cast<unsigned int>(form.first));
  form.rowStride = static_cast<int>(nextRow - static_cast<unsigned int>(form.first));
  form.first ^= static_cast<unsigned long long>(spaceOf(key)) << 60;
  return good;
}

}  // namespace backend
}  // namespace cui
