// cub::BlockMergeSort: one thread sorts what all have left, by the program's comparison; equal keys keep
// their order. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <algorithm>

#include "block_exchange.cuh"

namespace cub {

namespace cui_detail {

/// What a block's and a warp's have in common: Group as Exchange has it.
template <class Key, int items, class Group, class Value>
class MergeSort {
  static constexpr int threads = Group::threads, count = threads * items;

 public:
  struct TempStorage {
    Values<Key, count> cuiKeys;
    Values<Value, count> cuiValues;
    int cuiOrder[count];
  };
  __device__ MergeSort() : storage_(ownStorage<TempStorage>()) {}
  __device__ explicit MergeSort(TempStorage& storage) : storage_(storage) {}

  template <class Less>
  __device__ void Sort(Key (&keys)[items], Less less) {
    run(keys, nullptr, less, count);
  }
  template <class Less>
  __device__ void Sort(Key (&keys)[items], Value (&values)[items], Less less) {
    run(keys, values, less, count);
  }
  /// Behind the first `valid` there is only `other`.
  template <class Less>
  __device__ void Sort(Key (&keys)[items], Less less, int valid, Key other) {
    fill(keys, valid, other);
    run(keys, nullptr, less, valid);
  }
  template <class Less>
  __device__ void Sort(Key (&keys)[items], Value (&values)[items], Less less, int valid, Key other) {
    fill(keys, valid, other);
    run(keys, values, less, valid);
  }
  template <class... Arguments>
  __device__ void StableSort(Key (&keys)[items], Arguments&&... arguments) {
    Sort(keys, static_cast<Arguments&&>(arguments)...);
  }

 private:
  static __device__ void fill(Key (&keys)[items], int valid, const Key& other) {
    for (int i = 0; i < items; ++i)
      if (Group::thread() * items + i >= valid) keys[i] = other;
  }
  template <class Less>
  __device__ void run(Key* keys, Value* values, Less& less, int valid) {
    const int thread = Group::thread();
    for (int i = 0; i < items; ++i) {
      storage_.cuiKeys[thread * items + i] = keys[i];
      if (values) storage_.cuiValues[thread * items + i] = values[i];
    }
    Group::sync();
    if (thread == 0) {
      for (int i = 0; i < count; ++i) storage_.cuiOrder[i] = i;
      sortOrder(less, valid < count ? valid : count);
    }
    Group::sync();
    for (int i = 0; i < items; ++i) {
      const int from = storage_.cuiOrder[thread * items + i];
      keys[i] = storage_.cuiKeys[from];
      if (values) values[i] = storage_.cuiValues[from];
    }
  }
  template <class Less>
  __device__ void sortOrder(Less& less, int valid) {
#if !CUI_TK_PARSE
    std::stable_sort(storage_.cuiOrder, storage_.cuiOrder + valid,
                     [&](int a, int b) { return less(storage_.cuiKeys[a], storage_.cuiKeys[b]); });
#else
    (void)less(storage_.cuiKeys[0], storage_.cuiKeys[valid - 1]);
#endif
  }

  TempStorage& storage_;
};

}  // namespace cui_detail

template <class Key, int X, int items, class Value = NullType, int Y = 1, int Z = 1>
class BlockMergeSort : public cui_detail::MergeSort<Key, items, cui_detail::BlockOf<X * Y * Z>, Value> {
  using cui_detail::MergeSort<Key, items, cui_detail::BlockOf<X * Y * Z>, Value>::MergeSort;
};

}  // namespace cub
