// cub::DeviceRadixSort and DeviceMergeSort: equal keys keep their order. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

struct DeviceRadixSort {
#define CUI_CUB_SORT(keysName, pairsName, descending)                                                        \
  template <class Key, class Count>                                                                          \
  static cudaError_t keysName(void* memory, size_t& bytes, const Key* in, Key* out, Count count,             \
                              int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr,       \
                              bool = false) {                                                                \
    return cui_detail::onDevice(memory, bytes, stream,                                                       \
                                [&] { sort(in, out, noValue, noValue, count, descending, begin, end); });    \
  }                                                                                                          \
  template <class Key, class Count>                                                                          \
  static cudaError_t keysName(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, Count count,             \
                              int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr,       \
                              bool = false) {                                                                \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                 \
      sort(keys.Current(), keys.Alternate(), noValue, noValue, count, descending, begin, end);               \
      keys.selector ^= 1;                                                                                    \
    });                                                                                                      \
  }                                                                                                          \
  template <class Key, class Value, class Count>                                                             \
  static cudaError_t pairsName(void* memory, size_t& bytes, const Key* in, Key* out, const Value* valuesIn,  \
                               Value* valuesOut, Count count, int begin = 0, int end = sizeof(Key) * 8,      \
                               cudaStream_t stream = nullptr, bool = false) {                                \
    return cui_detail::onDevice(memory, bytes, stream,                                                       \
                                [&] { sort(in, out, valuesIn, valuesOut, count, descending, begin, end); }); \
  }                                                                                                          \
  template <class Key, class Value, class Count>                                                             \
  static cudaError_t pairsName(void* memory, size_t& bytes, DoubleBuffer<Key>& keys,                         \
                               DoubleBuffer<Value>& values, Count count, int begin = 0,                      \
                               int end = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {     \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                 \
      const Value* const from = values.Current();                                                            \
      sort(keys.Current(), keys.Alternate(), from, values.Alternate(), count, descending, begin, end);       \
      keys.selector ^= 1;                                                                                    \
      values.selector ^= 1;                                                                                  \
    });                                                                                                      \
  }
  CUI_CUB_SORT(SortKeys, SortPairs, false)
  CUI_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CUI_CUB_SORT

 private:
  static constexpr NullType* noValue = nullptr;
  template <class Key, class ValueIn, class Value, class Count>
  static void sort(const Key* in, Key* out, ValueIn* valuesIn, Value* valuesOut, Count count, bool descending,
                   int begin, int end) {
    std::vector<int> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    cui_detail::sortByDigits(order.data(), static_cast<long long>(count), in, descending, begin, end);
    for (size_t i = 0; i < order.size(); ++i) {
      out[i] = in[order[i]];
      if (valuesIn) valuesOut[i] = valuesIn[order[i]];
    }
  }
};

struct DeviceMergeSort {
  template <class Keys, class Count, class Less>
  static cudaError_t SortKeys(void* memory, size_t& bytes, Keys keys, Count count, Less less,
                              cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] { std::stable_sort(keys, keys + count, less); });
  }
  template <class Keys, class Items, class Count, class Less>
  static cudaError_t SortPairs(void* memory, size_t& bytes, Keys keys, Items items, Count count, Less less,
                               cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      std::vector<cui_detail::ValueOf<Keys>> oldKeys(keys, keys + count);
      std::vector<cui_detail::ValueOf<Items>> oldItems(items, items + count);
      std::vector<Count> order(oldKeys.size());
      std::iota(order.begin(), order.end(), Count(0));
      std::stable_sort(order.begin(), order.end(),
                       [&](Count a, Count b) { return less(oldKeys[a], oldKeys[b]); });
      for (Count i = 0; i < count; ++i) {
        keys[i] = oldKeys[order[i]];
        items[i] = oldItems[order[i]];
      }
    });
  }
  template <class Keys, class Count, class Less>
  static cudaError_t StableSortKeys(void* memory, size_t& bytes, Keys keys, Count count, Less less,
                                    cudaStream_t stream = nullptr, bool = false) {
    return SortKeys(memory, bytes, keys, count, less, stream);
  }
};

}  // namespace cub
