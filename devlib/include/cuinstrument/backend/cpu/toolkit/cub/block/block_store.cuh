// cub::BlockStore, and the functions that one thread stores with. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

namespace cui_detail {
template <class T, int items, class Iterator>
__device__ void storeItems(int first, int step, Iterator to, T (&from)[items], int valid = 0x7fffffff) {
  for (int i = 0; i < items; ++i)
    if (first + i * step < valid) to[first + i * step] = from[i];
}
}  // namespace cui_detail

template <class T, int items, class Iterator, class... Valid>
__device__ void StoreDirectBlocked(int thread, Iterator to, T (&from)[items], Valid... valid) {
  cui_detail::storeItems(thread * items, 1, to, from, valid...);
}
template <class T, int items>
__device__ void StoreDirectBlockedVectorized(int thread, T* to, T (&from)[items]) {
  cui_detail::storeItems(thread * items, 1, to, from);
}
template <int threads, class T, int items, class Iterator, class... Valid>
__device__ void StoreDirectStriped(int thread, Iterator to, T (&from)[items], Valid... valid) {
  cui_detail::storeItems(thread, threads, to, from, valid...);
}
template <class T, int items, class Iterator, class... Valid>
__device__ void StoreDirectWarpStriped(int thread, Iterator to, T (&from)[items], Valid... valid) {
  cui_detail::storeItems(thread / 32 * 32 * items + thread % 32, 32, to, from, valid...);
}

template <class T, int X, int items, BlockStoreAlgorithm Algorithm = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1,
          int LegacyArchitecture = 0>
class BlockStore {
 public:
  struct TempStorage {
    char cuiUnused;
  };
  __device__ BlockStore() {}
  __device__ explicit BlockStore(TempStorage&) {}
  template <class Iterator, class... Valid>
  __device__ void Store(Iterator to, T (&from)[items], Valid... valid) {
    const int thread = cui_detail::thread();
    const bool striped = Algorithm == BLOCK_STORE_STRIPED;
    cui_detail::storeItems(striped ? thread : thread * items, striped ? X * Y * Z : 1, to, from, valid...);
  }
};

}  // namespace cub
