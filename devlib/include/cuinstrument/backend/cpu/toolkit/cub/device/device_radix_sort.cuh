// cub::DeviceRadixSort, of segments as well, and DeviceMergeSort: equal keys keep their order. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

namespace cui_detail {

inline constexpr NullType* noValue() {
  return nullptr;
}

/// Keys in the order of their bits [begin, end); values go with them, unless there are none.
template <class Key, class ValueIn, class Value>
void sortKeys(const Key* in, Key* out, const ValueIn* valuesIn, Value* valuesOut, long long count,
              bool descending, int begin, int end) {
  std::vector<int> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  sortByDigits(order.data(), count, in, descending, begin, end);
  for (size_t i = 0; i < order.size(); ++i) {
    out[i] = in[order[i]];
    if (valuesIn) valuesOut[i] = valuesIn[order[i]];
  }
}
template <class Key, class ValueIn, class Value, class Begins, class Ends>
void sortSegments(const Key* in, Key* out, const ValueIn* valuesIn, Value* valuesOut, long long segments,
                  Begins begins, Ends ends, bool descending, int begin, int end) {
  for (long long i = 0; i < segments; ++i) {
    const long long from = begins[i], to = ends[i];
    if (from < to)
      sortKeys(in + from, out + from, valuesIn ? valuesIn + from : nullptr,
               valuesIn ? valuesOut + from : nullptr, to - from, descending, begin, end);
  }
}

}  // namespace cui_detail

struct DeviceRadixSort {
#define CUI_CUB_SORT(keysName, pairsName, descending)                                                       \
  template <class Key, class Count>                                                                         \
  static cudaError_t keysName(void* memory, size_t& bytes, const Key* in, Key* out, Count count,            \
                              int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr,      \
                              bool = false) {                                                               \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                \
      cui_detail::sortKeys(in, out, cui_detail::noValue(), cui_detail::noValue(), count, descending, begin, \
                           end);                                                                            \
    });                                                                                                     \
  }                                                                                                         \
  template <class Key, class Count>                                                                         \
  static cudaError_t keysName(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, Count count,            \
                              int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr,      \
                              bool = false) {                                                               \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                \
      cui_detail::sortKeys(keys.Current(), keys.Alternate(), cui_detail::noValue(), cui_detail::noValue(),  \
                           count, descending, begin, end);                                                  \
      keys.selector ^= 1;                                                                                   \
    });                                                                                                     \
  }                                                                                                         \
  template <class Key, class Value, class Count>                                                            \
  static cudaError_t pairsName(void* memory, size_t& bytes, const Key* in, Key* out, const Value* valuesIn, \
                               Value* valuesOut, Count count, int begin = 0, int end = sizeof(Key) * 8,     \
                               cudaStream_t stream = nullptr, bool = false) {                               \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                \
      cui_detail::sortKeys(in, out, valuesIn, valuesOut, count, descending, begin, end);                    \
    });                                                                                                     \
  }                                                                                                         \
  template <class Key, class Value, class Count>                                                            \
  static cudaError_t pairsName(void* memory, size_t& bytes, DoubleBuffer<Key>& keys,                        \
                               DoubleBuffer<Value>& values, Count count, int begin = 0,                     \
                               int end = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {    \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                \
      const Value* const from = values.Current();                                                           \
      cui_detail::sortKeys(keys.Current(), keys.Alternate(), from, values.Alternate(), count, descending,   \
                           begin, end);                                                                     \
      keys.selector ^= 1;                                                                                   \
      values.selector ^= 1;                                                                                 \
    });                                                                                                     \
  }
  CUI_CUB_SORT(SortKeys, SortPairs, false)
  CUI_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CUI_CUB_SORT
};

struct DeviceSegmentedRadixSort {
#define CUI_CUB_SORT(keysName, pairsName, descending)                                                       \
  template <class Key, class Begins, class Ends>                                                            \
  static cudaError_t keysName(void* memory, size_t& bytes, const Key* in, Key* out, long long,              \
                              long long segments, Begins begins, Ends ends, int begin = 0,                  \
                              int end = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {     \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                \
      cui_detail::sortSegments(in, out, cui_detail::noValue(), cui_detail::noValue(), segments, begins,     \
                               ends, descending, begin, end);                                               \
    });                                                                                                     \
  }                                                                                                         \
  template <class Key, class Begins, class Ends>                                                            \
  static cudaError_t keysName(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, long long count,        \
                              long long segments, Begins begins, Ends ends, int begin = 0,                  \
                              int end = sizeof(Key) * 8, cudaStream_t stream = nullptr, bool = false) {     \
    const cudaError_t error = keysName(memory, bytes, keys.Current(), keys.Alternate(), count, segments,    \
                                       begins, ends, begin, end, stream);                                   \
    if (memory && error == cudaSuccess) keys.selector ^= 1;                                                 \
    return error;                                                                                           \
  }                                                                                                         \
  template <class Key, class Value, class Begins, class Ends>                                               \
  static cudaError_t pairsName(void* memory, size_t& bytes, const Key* in, Key* out, const Value* valuesIn, \
                               Value* valuesOut, long long, long long segments, Begins begins, Ends ends,   \
                               int begin = 0, int end = sizeof(Key) * 8, cudaStream_t stream = nullptr,     \
                               bool = false) {                                                              \
    return cui_detail::onDevice(memory, bytes, stream, [&] {                                                \
      cui_detail::sortSegments(in, out, valuesIn, valuesOut, segments, begins, ends, descending, begin,     \
                               end);                                                                        \
    });                                                                                                     \
  }                                                                                                         \
  template <class Key, class Value, class Begins, class Ends>                                               \
  static cudaError_t pairsName(void* memory, size_t& bytes, DoubleBuffer<Key>& keys,                        \
                               DoubleBuffer<Value>& values, long long count, long long segments,            \
                               Begins begins, Ends ends, int begin = 0, int end = sizeof(Key) * 8,          \
                               cudaStream_t stream = nullptr, bool = false) {                               \
    const cudaError_t error =                                                                               \
        pairsName(memory, bytes, keys.Current(), keys.Alternate(), values.Current(), values.Alternate(),    \
                  count, segments, begins, ends, begin, end, stream);                                       \
    if (memory && error == cudaSuccess) {                                                                   \
      keys.selector ^= 1;                                                                                   \
      values.selector ^= 1;                                                                                 \
    }                                                                                                       \
    return error;                                                                                           \
  }
  CUI_CUB_SORT(SortKeys, SortPairs, false)
  CUI_CUB_SORT(SortKeysDescending, SortPairsDescending, true)
#undef CUI_CUB_SORT
};

/// The same by all bits of the keys.
struct DeviceSegmentedSort {
#define CUI_CUB_SORT(name, of)                                                                              \
  template <class Key, class Begins, class Ends>                                                            \
  static cudaError_t name##Keys##of(void* memory, size_t& bytes, const Key* in, Key* out, long long count,  \
                                    long long segments, Begins begins, Ends ends,                           \
                                    cudaStream_t stream = nullptr, bool = false) {                          \
    return DeviceSegmentedRadixSort::SortKeys##of(memory, bytes, in, out, count, segments, begins, ends, 0, \
                                                  sizeof(Key) * 8, stream);                                 \
  }                                                                                                         \
  template <class Key, class Begins, class Ends>                                                            \
  static cudaError_t name##Keys##of(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, long long count,  \
                                    long long segments, Begins begins, Ends ends,                           \
                                    cudaStream_t stream = nullptr, bool = false) {                          \
    return DeviceSegmentedRadixSort::SortKeys##of(memory, bytes, keys, count, segments, begins, ends, 0,    \
                                                  sizeof(Key) * 8, stream);                                 \
  }                                                                                                         \
  template <class Key, class Value, class Begins, class Ends>                                               \
  static cudaError_t name##Pairs##of(void* memory, size_t& bytes, const Key* in, Key* out,                  \
                                     const Value* valuesIn, Value* valuesOut, long long count,              \
                                     long long segments, Begins begins, Ends ends,                          \
                                     cudaStream_t stream = nullptr, bool = false) {                         \
    return DeviceSegmentedRadixSort::SortPairs##of(memory, bytes, in, out, valuesIn, valuesOut, count,      \
                                                   segments, begins, ends, 0, sizeof(Key) * 8, stream);     \
  }                                                                                                         \
  template <class Key, class Value, class Begins, class Ends>                                               \
  static cudaError_t name##Pairs##of(                                                                       \
      void* memory, size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Value>& values, long long count,   \
      long long segments, Begins begins, Ends ends, cudaStream_t stream = nullptr, bool = false) {          \
    return DeviceSegmentedRadixSort::SortPairs##of(memory, bytes, keys, values, count, segments, begins,    \
                                                   ends, 0, sizeof(Key) * 8, stream);                       \
  }
  CUI_CUB_SORT(Sort, )
  CUI_CUB_SORT(Sort, Descending)
  CUI_CUB_SORT(StableSort, )
  CUI_CUB_SORT(StableSort, Descending)
#undef CUI_CUB_SORT
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
  template <class In, class Out, class Count, class Less>
  static cudaError_t SortKeysCopy(void* memory, size_t& bytes, In in, Out out, Count count, Less less,
                                  cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      std::vector<cui_detail::ValueOf<In>> keys(in, in + count);
      std::stable_sort(keys.begin(), keys.end(), less);
      std::copy(keys.begin(), keys.end(), out);
    });
  }
  template <class KeysIn, class ItemsIn, class Keys, class Items, class Count, class Less>
  static cudaError_t SortPairsCopy(void* memory, size_t& bytes, KeysIn keysIn, ItemsIn itemsIn, Keys keys,
                                   Items items, Count count, Less less, cudaStream_t stream = nullptr,
                                   bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      if (count <= 0) return;
      std::copy(keysIn, keysIn + count, keys);
      std::copy(itemsIn, itemsIn + count, items);
      SortPairs(memory, bytes, keys, items, count, less, stream);
    });
  }
  template <class In, class Out, class Count, class Less>
  static cudaError_t StableSortKeysCopy(void* memory, size_t& bytes, In in, Out out, Count count, Less less,
                                        cudaStream_t stream = nullptr, bool = false) {
    return SortKeysCopy(memory, bytes, in, out, count, less, stream);
  }
  template <class Keys, class Items, class Count, class Less>
  static cudaError_t StableSortPairs(void* memory, size_t& bytes, Keys keys, Items items, Count count,
                                     Less less, cudaStream_t stream = nullptr, bool = false) {
    return SortPairs(memory, bytes, keys, items, count, less, stream);
  }
  template <class Keys, class Count, class Less>
  static cudaError_t StableSortKeys(void* memory, size_t& bytes, Keys keys, Count count, Less less,
                                    cudaStream_t stream = nullptr, bool = false) {
    return SortKeys(memory, bytes, keys, count, less, stream);
  }
};

}  // namespace cub
