// cub::BlockRadixSort: the first thread sorts what all have left; equal keys keep their order. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <algorithm>

#include "../cui_common.cuh"

namespace cub {

namespace cui_detail {

/// The order of keys by their bits [begin, end), of `count` numbers in `order`.
template <class Key>
__host__ __device__ void sortByDigits(int* order, long long count, const Key* keys, bool descending,
                                      int begin, int end) {
#if !CUI_TK_PARSE
  std::stable_sort(order, order + count, [=](int a, int b) {
    const auto left = Traits<Key>::cuiDigits(keys[a], begin, end);
    const auto right = Traits<Key>::cuiDigits(keys[b], begin, end);
    return descending ? right < left : left < right;
  });
#else
  (void)order, (void)count, (void)keys, (void)descending, (void)begin, (void)end;
#endif
}

}  // namespace cui_detail

template <class Key, int X, int items, class Value = NullType, int RadixBits = 4,
          bool MemoizeOuterScan = true, int InnerScan = 0, int SharedMemory = 0, int Y = 1, int Z = 1,
          int LegacyArchitecture = 0>
class BlockRadixSort {
  static constexpr int threads = X * Y * Z, count = threads * items, allBits = sizeof(Key) * 8;

 public:
  struct TempStorage {
    cui_detail::Values<Key, count> cuiKeys;
    cui_detail::Values<Value, count> cuiValues;
    int cuiOrder[count];
  };
  __device__ BlockRadixSort() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockRadixSort(TempStorage& storage) : storage_(storage) {}

  __device__ void Sort(Key (&keys)[items], int begin = 0, int end = allBits) {
    run(keys, nullptr, false, false, begin, end);
  }
  __device__ void Sort(Key (&keys)[items], Value (&values)[items], int begin = 0, int end = allBits) {
    run(keys, values, false, false, begin, end);
  }
  __device__ void SortDescending(Key (&keys)[items], int begin = 0, int end = allBits) {
    run(keys, nullptr, true, false, begin, end);
  }
  __device__ void SortDescending(Key (&keys)[items], Value (&values)[items], int begin = 0,
                                 int end = allBits) {
    run(keys, values, true, false, begin, end);
  }
  __device__ void SortBlockedToStriped(Key (&keys)[items], int begin = 0, int end = allBits) {
    run(keys, nullptr, false, true, begin, end);
  }
  __device__ void SortBlockedToStriped(Key (&keys)[items], Value (&values)[items], int begin = 0,
                                       int end = allBits) {
    run(keys, values, false, true, begin, end);
  }
  __device__ void SortDescendingBlockedToStriped(Key (&keys)[items], int begin = 0, int end = allBits) {
    run(keys, nullptr, true, true, begin, end);
  }
  __device__ void SortDescendingBlockedToStriped(Key (&keys)[items], Value (&values)[items], int begin = 0,
                                                 int end = allBits) {
    run(keys, values, true, true, begin, end);
  }

 private:
  __device__ void run(Key* keys, Value* values, bool descending, bool striped, int begin, int end) {
    const int thread = cui_detail::thread();
    for (int i = 0; i < items; ++i) {
      storage_.cuiKeys[thread * items + i] = keys[i];
      if (values) storage_.cuiValues[thread * items + i] = values[i];
    }
    __syncthreads();
    if (thread == 0) {
      for (int i = 0; i < count; ++i) storage_.cuiOrder[i] = i;
      cui_detail::sortByDigits(storage_.cuiOrder, count, &storage_.cuiKeys[0], descending, begin, end);
    }
    __syncthreads();
    for (int i = 0; i < items; ++i) {
      const int from = storage_.cuiOrder[striped ? i * threads + thread : thread * items + i];
      keys[i] = storage_.cuiKeys[from];
      if (values) values[i] = storage_.cuiValues[from];
    }
  }

  TempStorage& storage_;
};

}  // namespace cub
