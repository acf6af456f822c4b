// cub::BlockHistogram: every thread adds its own items. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <type_traits>

#include "../cui_common.cuh"

namespace cub {

enum BlockHistogramAlgorithm { BLOCK_HISTO_SORT, BLOCK_HISTO_ATOMIC };

namespace cui_detail {

/// Counters may be in global memory, where other blocks count as well.
template <class Counter>
__device__ void addOne(Counter& counter, std::true_type) {
  __atomic_fetch_add(&counter, Counter(1), __ATOMIC_SEQ_CST);
}
template <class Counter>
__device__ void addOne(Counter& counter, std::false_type) {
  counter = counter + Counter(1);
}

}  // namespace cui_detail

template <class T, int X, int Items, int Bins, BlockHistogramAlgorithm Algorithm = BLOCK_HISTO_SORT, int Y = 1,
          int Z = 1, int LegacyArchitecture = 0>
class BlockHistogram {
 public:
  struct TempStorage {
    char cuiUnused[16];
  };
  __device__ BlockHistogram() {}
  __device__ explicit BlockHistogram(TempStorage&) {}

  template <class Counter>
  __device__ void InitHistogram(Counter* histogram) {
    for (int bin = cui_detail::thread(); bin < Bins; bin += X * Y * Z) histogram[bin] = Counter();
  }
  template <class Counter>
  __device__ void Composite(T (&items)[Items], Counter* histogram) {
    for (int i = 0; i < Items; ++i)
      cui_detail::addOne(histogram[static_cast<int>(items[i])], std::is_integral<Counter>());
  }
  template <class Counter>
  __device__ void Histogram(T (&items)[Items], Counter* histogram) {
    InitHistogram(histogram);
    __syncthreads();
    Composite(items, histogram);
  }
};

}  // namespace cub
