// cub::DeviceFor, DeviceTransform, DeviceAdjacentDifference, DeviceMerge and the batched copies. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <cstring>
#include <tuple>

#include "cui_device.cuh"

namespace cub {

namespace cui_detail {
/// Without memory of the caller's: at once.
template <class Work>
cudaError_t onDevice(cudaStream_t stream, const Work& work) {
  size_t bytes = 0;
  return onDevice(&bytes, bytes, stream, work);
}
struct Less {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};
}  // namespace cui_detail

/// Each function also with (memory, bytes) in front, which CUB needs nowhere today.
struct DeviceFor {
  template <class Count, class Operator, cui_detail::IfCount<Count> = 0>
  static cudaError_t Bulk(Count count, Operator operation, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(stream, [&] {
      for (Count i = 0; i < count; ++i) operation(i);
    });
  }
  template <class Iterator, class Count, class Operator, cui_detail::IfCount<Count> = 0>
  static cudaError_t ForEachN(Iterator first, Count count, Operator operation,
                              cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(stream, [&] {
      for (Count i = 0; i < count; ++i) operation(first[i]);
    });
  }
  template <class Iterator, class Operator>
  static cudaError_t ForEach(Iterator first, Iterator last, Operator operation,
                             cudaStream_t stream = nullptr) {
    return ForEachN(first, last - first, operation, stream);
  }
  template <class Iterator, class Count, class Operator, cui_detail::IfCount<Count> = 0>
  static cudaError_t ForEachCopyN(Iterator first, Count count, Operator operation,
                                  cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(stream, [&] {
      for (Count i = 0; i < count; ++i) {
        auto copy = static_cast<cui_detail::ValueOf<Iterator>>(first[i]);
        operation(copy);
      }
    });
  }
  template <class Iterator, class Operator>
  static cudaError_t ForEachCopy(Iterator first, Iterator last, Operator operation,
                                 cudaStream_t stream = nullptr) {
    return ForEachCopyN(first, last - first, operation, stream);
  }
#define CUI_CUB_WITH_MEMORY(name)                                                             \
  template <class... Arguments>                                                               \
  static cudaError_t name(void* memory, size_t& bytes, Arguments... arguments) {              \
    return memory ? name(arguments...) : cui_detail::onDevice(memory, bytes, nullptr, [] {}); \
  }
  CUI_CUB_WITH_MEMORY(Bulk)
  CUI_CUB_WITH_MEMORY(ForEachN)
  CUI_CUB_WITH_MEMORY(ForEach)
  CUI_CUB_WITH_MEMORY(ForEachCopyN)
  CUI_CUB_WITH_MEMORY(ForEachCopy)
};

struct DeviceTransform {
  template <class In, class Out, class Count, class Operator, cui_detail::IfCount<Count> = 0>
  static cudaError_t Transform(In in, Out out, Count count, Operator operation,
                               cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(stream, [&] {
      for (Count i = 0; i < count; ++i) out[i] = operation(in[i]);
    });
  }
  /// The inputs are a tuple of iterators, std's or cuda::std's.
  template <template <class...> class Tuple, class... In, class Out, class Count, class Operator,
            cui_detail::IfCount<Count> = 0>
  static cudaError_t Transform(Tuple<In...> in, Out out, Count count, Operator operation,
                               cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(
        stream, [&] { overTuple(in, out, count, operation, std::index_sequence_for<In...>()); });
  }
  CUI_CUB_WITH_MEMORY(Transform)
  template <class... Arguments>
  static cudaError_t TransformStableArgumentAddresses(Arguments... arguments) {
    return Transform(arguments...);
  }

 private:
  template <class Tuple, class Out, class Count, class Operator, size_t... which>
  static void overTuple(Tuple& in, Out out, Count count, Operator& operation, std::index_sequence<which...>) {
    using std::get;
    for (Count i = 0; i < count; ++i) out[i] = operation(get<which>(in)[i]...);
  }
};
#undef CUI_CUB_WITH_MEMORY

struct DeviceAdjacentDifference {
  template <class In, class Out, class Count, class Operator = Difference>
  static cudaError_t SubtractLeftCopy(void* memory, size_t& bytes, In in, Out out, Count count,
                                      Operator difference = {}, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      if (count > 0) out[0] = in[0];
      for (Count i = 1; i < count; ++i) out[i] = difference(in[i], in[i - 1]);
    });
  }
  template <class In, class Out, class Count, class Operator = Difference>
  static cudaError_t SubtractRightCopy(void* memory, size_t& bytes, In in, Out out, Count count,
                                       Operator difference = {}, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      for (Count i = 0; i + 1 < count; ++i) out[i] = difference(in[i], in[i + 1]);
      if (count > 0) out[count - 1] = in[count - 1];
    });
  }
  template <class Items, class Count, class Operator = Difference>
  static cudaError_t SubtractLeft(void* memory, size_t& bytes, Items items, Count count,
                                  Operator difference = {}, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      for (Count i = count; i-- > 1;) items[i] = difference(items[i], items[i - 1]);
    });
  }
  template <class Items, class Count, class Operator = Difference>
  static cudaError_t SubtractRight(void* memory, size_t& bytes, Items items, Count count,
                                   Operator difference = {}, cudaStream_t stream = nullptr) {
    return SubtractRightCopy(memory, bytes, items, items, count, difference, stream);
  }
};

/// Of equal keys the first input's go first.
struct DeviceMerge {
  template <class KeysA, class KeysB, class Keys, class Less = cui_detail::Less>
  static cudaError_t MergeKeys(void* memory, size_t& bytes, KeysA a, long long countA, KeysB b,
                               long long countB, Keys out, Less less = {}, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream,
                                [&] { std::merge(a, a + countA, b, b + countB, out, less); });
  }
  template <class KeysA, class ValuesA, class KeysB, class ValuesB, class Keys, class Values,
            class Less = cui_detail::Less>
  static cudaError_t MergePairs(void* memory, size_t& bytes, KeysA a, ValuesA valuesA, long long countA,
                                KeysB b, ValuesB valuesB, long long countB, Keys out, Values valuesOut,
                                Less less = {}, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      for (long long i = 0, j = 0, k = 0; i < countA || j < countB; ++k) {
        if (i < countA && (j == countB || !less(b[j], a[i]))) {
          out[k] = a[i];
          valuesOut[k] = valuesA[i++];
        } else {
          out[k] = b[j];
          valuesOut[k] = valuesB[j++];
        }
      }
    });
  }
};

/// Many ranges at once: items, or bytes.
struct DeviceCopy {
  template <class Ins, class Outs, class Sizes>
  static cudaError_t Batched(void* memory, size_t& bytes, Ins ins, Outs outs, Sizes sizes, long long count,
                             cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      for (long long i = 0; i < count; ++i) std::copy(ins[i], ins[i] + sizes[i], outs[i]);
    });
  }
};
struct DeviceMemcpy {
  template <class Ins, class Outs, class Sizes>
  static cudaError_t Batched(void* memory, size_t& bytes, Ins ins, Outs outs, Sizes sizes, long long count,
                             cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      for (long long i = 0; i < count; ++i) std::memcpy(outs[i], ins[i], static_cast<size_t>(sizes[i]));
    });
  }
};

}  // namespace cub
