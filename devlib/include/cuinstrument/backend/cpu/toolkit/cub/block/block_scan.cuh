// cub::BlockScan: the first thread combines what all have left, in their order. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm Algorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1,
          int LegacyArchitecture = 0>
class BlockScan {
  static constexpr int threads = X * Y * Z;

 public:
  struct TempStorage {
    cui_detail::Values<T, threads + 1> cuiValues;  ///< one more for a prefix of the whole block
  };
  __device__ BlockScan() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockScan(TempStorage& storage) : storage_(storage) {}

  // --- one item a thread: (input, output, operator …)
  template <class Operator>
  __device__ void InclusiveScan(T input, T& output, Operator combine) {
    T all;
    InclusiveScan(input, output, combine, all);
  }
  template <class Operator>
  __device__ void InclusiveScan(T input, T& output, Operator combine, T& all) {
    T before;
    output = scan(input, combine, before, all) ? combine(before, input) : input;
  }
  /// The first thread's output is not set.
  template <class Operator>
  __device__ void ExclusiveScan(T input, T& output, Operator combine) {
    T all;
    ExclusiveScan(input, output, combine, all);
  }
  template <class Operator>
  __device__ std::enable_if_t<!std::is_convertible<Operator, T>::value> ExclusiveScan(T input, T& output,
                                                                                      Operator combine,
                                                                                      T& all) {
    T before;
    if (scan(input, combine, before, all)) output = before;
  }
  template <class Operator>
  __device__ void ExclusiveScan(T input, T& output, T initial, Operator combine) {
    T all;
    ExclusiveScan(input, output, initial, combine, all);
  }
  /// `all` is without the initial value.
  template <class Operator>
  __device__ void ExclusiveScan(T input, T& output, T initial, Operator combine, T& all) {
    T before;
    output = scan(input, combine, before, all) ? combine(initial, before) : initial;
  }
  __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T& output, T& all) { InclusiveScan(input, output, cub::Sum(), all); }
  __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T& output, T& all) {
    ExclusiveScan(input, output, T(), cub::Sum(), all);
  }
  /// `prefix` is called by the first warp with the block's total; what its first thread gives goes first.
  template <class Prefix>
  __device__ std::enable_if_t<!std::is_same<Prefix, T>::value> InclusiveSum(T input, T& output,
                                                                            Prefix& prefix) {
    T all, first;
    InclusiveSum(input, output, all);
    first = shared(prefix, all);
    output = first + output;
  }
  template <class Prefix>
  __device__ std::enable_if_t<!std::is_same<Prefix, T>::value> ExclusiveSum(T input, T& output,
                                                                            Prefix& prefix) {
    T all, first;
    ExclusiveSum(input, output, all);
    first = shared(prefix, all);
    output = first + output;
  }

  // --- several items a thread
  template <int items, class Operator>
  __device__ void InclusiveScan(T (&input)[items], T (&output)[items], Operator combine) {
    T all;
    InclusiveScan(input, output, combine, all);
  }
  template <int items, class Operator>
  __device__ void InclusiveScan(T (&input)[items], T (&output)[items], Operator combine, T& all) {
    T before, own = total(input, combine);
    const bool follows = scan(own, combine, before, all);
    T sum = follows ? combine(before, input[0]) : input[0];
    for (int i = 0; i < items; ++i) {
      if (i > 0) sum = combine(sum, input[i]);
      output[i] = sum;
    }
  }
  template <int items, class Operator>
  __device__ void ExclusiveScan(T (&input)[items], T (&output)[items], T initial, Operator combine) {
    T all;
    ExclusiveScan(input, output, initial, combine, all);
  }
  template <int items, class Operator>
  __device__ void ExclusiveScan(T (&input)[items], T (&output)[items], T initial, Operator combine, T& all) {
    T before, own = total(input, combine);
    T sum = scan(own, combine, before, all) ? combine(initial, before) : initial;
    for (int i = 0; i < items; ++i) {
      const T item = input[i];  // which may be the output as well
      output[i] = sum;
      sum = combine(sum, item);
    }
  }
  template <int items>
  __device__ void InclusiveSum(T (&input)[items], T (&output)[items]) {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int items>
  __device__ void InclusiveSum(T (&input)[items], T (&output)[items], T& all) {
    InclusiveScan(input, output, cub::Sum(), all);
  }
  template <int items>
  __device__ void ExclusiveSum(T (&input)[items], T (&output)[items]) {
    ExclusiveScan(input, output, T(), cub::Sum());
  }
  template <int items>
  __device__ void ExclusiveSum(T (&input)[items], T (&output)[items], T& all) {
    ExclusiveScan(input, output, T(), cub::Sum(), all);
  }
  template <int items, class Prefix>
  __device__ std::enable_if_t<!std::is_same<Prefix, T>::value> InclusiveSum(T (&input)[items],
                                                                            T (&output)[items],
                                                                            Prefix& prefix) {
    T all;
    InclusiveSum(input, output, all);
    const T first = shared(prefix, all);
    for (T& item : output) item = first + item;
  }
  template <int items, class Prefix>
  __device__ std::enable_if_t<!std::is_same<Prefix, T>::value> ExclusiveSum(T (&input)[items],
                                                                            T (&output)[items],
                                                                            Prefix& prefix) {
    T all;
    ExclusiveSum(input, output, all);
    const T first = shared(prefix, all);
    for (T& item : output) item = first + item;
  }

 private:
  template <int items, class Operator>
  static __device__ T total(T (&input)[items], Operator combine) {
    T sum = input[0];
    for (int i = 1; i < items; ++i) sum = combine(sum, input[i]);
    return sum;
  }
  /// What comes before the calling thread, and all of it; false for the first thread, before which nothing
  /// is.
  template <class Operator>
  __device__ bool scan(T input, Operator combine, T& before, T& all) {
    const int thread = cui_detail::thread();
    storage_.cuiValues[thread] = input;
    __syncthreads();
    if (thread == 0)
      for (int i = 1; i < threads; ++i)
        storage_.cuiValues[i] = combine(storage_.cuiValues[i - 1], storage_.cuiValues[i]);
    __syncthreads();
    all = storage_.cuiValues[threads - 1];
    if (thread > 0) before = storage_.cuiValues[thread - 1];
    return thread > 0;
  }
  template <class Prefix>
  __device__ T shared(Prefix& prefix, T all) {
    const int thread = cui_detail::thread();
    if (thread < 32) {
      const T first = prefix(all);
      if (thread == 0) storage_.cuiValues[threads] = first;
    }
    __syncthreads();
    return storage_.cuiValues[threads];
  }

  TempStorage& storage_;
};

}  // namespace cub
