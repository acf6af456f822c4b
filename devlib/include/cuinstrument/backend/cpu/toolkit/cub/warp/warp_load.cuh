// cub::WarpLoad: as BlockLoad, for the lanes of a logical warp. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../block/block_load.cuh"
#include "warp_reduce.cuh"

namespace cub {

enum WarpLoadAlgorithm { WARP_LOAD_DIRECT, WARP_LOAD_STRIPED, WARP_LOAD_VECTORIZE, WARP_LOAD_TRANSPOSE };

template <class T, int items, WarpLoadAlgorithm Algorithm = WARP_LOAD_DIRECT, int Lanes = 32,
          int LegacyArchitecture = 0>
class WarpLoad {
 public:
  struct TempStorage {
    char cuiUnused;
  };
  __device__ WarpLoad() {}
  __device__ explicit WarpLoad(TempStorage&) {}
  /// (from, to [, valid [, other]])
  template <class Iterator, class... Rest>
  __device__ void Load(Iterator from, T (&to)[items], Rest... rest) {
    const int lane = cui_detail::LogicalWarp<Lanes>::thread();
    const bool striped = Algorithm == WARP_LOAD_STRIPED;
    cui_detail::loadItems(striped ? lane : lane * items, striped ? Lanes : 1, from, to, rest...);
  }
};

}  // namespace cub
