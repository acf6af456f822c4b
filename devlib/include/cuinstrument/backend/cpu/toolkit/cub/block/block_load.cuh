// cub::BlockLoad, and the functions that one thread loads with. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

namespace cui_detail {
/// Item i of the calling thread is number first + i * step of the block's.
template <class T, int items, class Iterator>
__device__ void loadItems(int first, int step, Iterator from, T (&to)[items]) {
  for (int i = 0; i < items; ++i) to[i] = from[first + i * step];
}
template <class T, int items, class Iterator>
__device__ void loadItems(int first, int step, Iterator from, T (&to)[items], int valid) {
  for (int i = 0; i < items; ++i)
    if (first + i * step < valid) to[i] = from[first + i * step];
}
template <class T, int items, class Iterator, class Default>
__device__ void loadItems(int first, int step, Iterator from, T (&to)[items], int valid, Default other) {
  for (T& item : to) item = other;
  loadItems(first, step, from, to, valid);
}
}  // namespace cui_detail

template <class T, int items, class Iterator, class... Rest>
__device__ void LoadDirectBlocked(int thread, Iterator from, T (&to)[items], Rest... rest) {
  cui_detail::loadItems(thread * items, 1, from, to, rest...);
}
template <class T, int items>
__device__ void LoadDirectBlockedVectorized(int thread, T* from, T (&to)[items]) {
  cui_detail::loadItems(thread * items, 1, from, to);
}
template <int threads, class T, int items, class Iterator, class... Rest>
__device__ void LoadDirectStriped(int thread, Iterator from, T (&to)[items], Rest... rest) {
  cui_detail::loadItems(thread, threads, from, to, rest...);
}
template <class T, int items, class Iterator, class... Rest>
__device__ void LoadDirectWarpStriped(int thread, Iterator from, T (&to)[items], Rest... rest) {
  cui_detail::loadItems(thread / 32 * 32 * items + thread % 32, 32, from, to, rest...);
}

template <class T, int X, int items, BlockLoadAlgorithm Algorithm = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1,
          int LegacyArchitecture = 0>
class BlockLoad {
 public:
  struct TempStorage {
    char cuiUnused;
  };
  __device__ BlockLoad() {}
  __device__ explicit BlockLoad(TempStorage&) {}
  /// (from, to [, valid [, other]])
  template <class Iterator, class... Rest>
  __device__ void Load(Iterator from, T (&to)[items], Rest... rest) {
    const int thread = cui_detail::thread();
    const bool striped = Algorithm == BLOCK_LOAD_STRIPED;
    cui_detail::loadItems(striped ? thread : thread * items, striped ? X * Y * Z : 1, from, to, rest...);
  }
};

}  // namespace cub
