// cub::BlockReduce: the first thread combines what all have left, in their order. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS,
  BLOCK_REDUCE_WARP_REDUCTIONS_NONDETERMINISTIC
};

template <class T, int X, BlockReduceAlgorithm Algorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1,
          int LegacyArchitecture = 0>
class BlockReduce {
 public:
  struct TempStorage {
    cui_detail::Values<T, X * Y * Z> cuiValues;
  };
  __device__ BlockReduce() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

  /// The result is the first thread's; the others get a value that means nothing.
  template <class Operator>
  __device__ T Reduce(T input, Operator combine, int valid) {
    const int thread = cui_detail::thread();
    storage_.cuiValues[thread] = input;
    __syncthreads();
    if (thread != 0) return input;
    for (int i = 1; i < valid; ++i) input = combine(input, storage_.cuiValues[i]);
    return input;
  }
  template <class Operator>
  __device__ T Reduce(T input, Operator combine) {
    return Reduce(input, combine, X * Y * Z);
  }
  template <int items, class Operator>
  __device__ T Reduce(T (&inputs)[items], Operator combine) {
    T own = inputs[0];
    for (int i = 1; i < items; ++i) own = combine(own, inputs[i]);
    return Reduce(own, combine);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int items>
  __device__ T Sum(T (&inputs)[items]) {
    return Reduce(inputs, cub::Sum());
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
