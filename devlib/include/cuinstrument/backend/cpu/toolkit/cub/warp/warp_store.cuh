// cub::WarpStore: as BlockStore, for the lanes of a logical warp. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../block/block_store.cuh"
#include "warp_reduce.cuh"

namespace cub {

enum WarpStoreAlgorithm { WARP_STORE_DIRECT, WARP_STORE_STRIPED, WARP_STORE_VECTORIZE, WARP_STORE_TRANSPOSE };

template <class T, int items, WarpStoreAlgorithm Algorithm = WARP_STORE_DIRECT, int Lanes = 32,
          int LegacyArchitecture = 0>
class WarpStore {
 public:
  struct TempStorage {
    char cuiUnused;
  };
  __device__ WarpStore() {}
  __device__ explicit WarpStore(TempStorage&) {}
  template <class Iterator, class... Valid>
  __device__ void Store(Iterator to, T (&from)[items], Valid... valid) {
    const int lane = cui_detail::LogicalWarp<Lanes>::thread();
    const bool striped = Algorithm == WARP_STORE_STRIPED;
    cui_detail::storeItems(striped ? lane : lane * items, striped ? Lanes : 1, to, from, valid...);
  }
};

}  // namespace cub
