// Values of any type from other lanes of a warp. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_common.cuh"

namespace cub {

namespace cui_detail {

/// The bytes of `value`, as the lane has them that `shuffle` asks: four at a time, as the hardware does.
template <class T, class Shuffle>
__device__ T shuffled(const T& value, const Shuffle& shuffle) {
  constexpr size_t words = (sizeof(T) + 3) / 4;
  unsigned int bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
  for (unsigned int& word : bits) word = shuffle(word);
  T result = value;
  __builtin_memcpy(static_cast<void*>(&result), bits, sizeof(T));
  return result;
}

}  // namespace cui_detail

/// Of the lane `offset` below in the logical warp; lanes below `first` keep what they have.
template <int Lanes, class T>
__device__ T ShuffleUp(T input, int offset, int first, unsigned int mask) {
  const bool inside = static_cast<int>(LaneId() % static_cast<unsigned int>(Lanes)) - offset >= first;
  const T other = cui_detail::shuffled(input, [&](unsigned int word) {
    return __shfl_up_sync(mask, word, static_cast<unsigned int>(offset), Lanes);
  });
  return inside ? other : input;
}
/// Of the lane `offset` above; those that would ask one above `last` keep what they have.
template <int Lanes, class T>
__device__ T ShuffleDown(T input, int offset, int last, unsigned int mask) {
  const bool inside = static_cast<int>(LaneId() % static_cast<unsigned int>(Lanes)) + offset <= last;
  const T other = cui_detail::shuffled(input, [&](unsigned int word) {
    return __shfl_down_sync(mask, word, static_cast<unsigned int>(offset), Lanes);
  });
  return inside ? other : input;
}
template <int Lanes, class T>
__device__ T ShuffleIndex(T input, int from, unsigned int mask) {
  return cui_detail::shuffled(input, [&](unsigned int word) { return __shfl_sync(mask, word, from, Lanes); });
}

}  // namespace cub
