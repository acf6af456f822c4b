// cub::DeviceScan: in the order of the items; the output may be the input. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

/// What a scan begins with, if the device will have computed it by then.
template <class T, class Iterator = T*>
struct FutureValue {
  using value_type = T;            // NOLINT(readability-identifier-naming): as CUB calls it
  using iterator_type = Iterator;  // NOLINT(readability-identifier-naming)
  __host__ __device__ explicit FutureValue(Iterator where) : cuiWhere(where) {}
  __host__ __device__ operator T() const { return *cuiWhere; }

 private:
  Iterator cuiWhere;
};

namespace cui_detail {
template <class T>
struct InitialOf {
  using Type = T;
};
template <class T, class Iterator>
struct InitialOf<FutureValue<T, Iterator>> {
  using Type = T;
};
/// All items have one key.
struct OneKey {
  template <class Index>
  int operator[](Index) const {
    return 0;
  }
};
}  // namespace cui_detail

struct DeviceScan {
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t ExclusiveScan(void* memory, size_t& bytes, In in, Out out, Operator combine, T initial,
                                   Count count, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      exclusive(cui_detail::OneKey(), in, out, combine, initial, count, cub::Equality());
    });
  }
  template <class In, class Out, class Operator, class Count>
  static cudaError_t InclusiveScan(void* memory, size_t& bytes, In in, Out out, Operator combine, Count count,
                                   cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      inclusive(cui_detail::OneKey(), in, out, combine, count, cub::Equality());
    });
  }
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t InclusiveScanInit(void* memory, size_t& bytes, In in, Out out, Operator combine,
                                       T initial, Count count, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      cui_detail::Accumulated<Operator, cui_detail::ValueOf<In>, T> sum = initial;
      for (Count i = 0; i < count; ++i) {
        sum = combine(sum, in[i]);
        out[i] = sum;
      }
    });
  }
  template <class In, class Out, class Count>
  static cudaError_t ExclusiveSum(void* memory, size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr, bool = false) {
    return ExclusiveScan(memory, bytes, in, out, cub::Sum(), cui_detail::ValueOf<In>(), count, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t InclusiveSum(void* memory, size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr, bool = false) {
    return InclusiveScan(memory, bytes, in, out, cub::Sum(), count, stream);
  }

  template <class InOut, class Operator, class T, class Count>
  static std::enable_if_t<std::is_integral<Count>::value, cudaError_t> ExclusiveScan(
      void* memory, size_t& bytes, InOut data, Operator combine, T initial, Count count,
      cudaStream_t stream = nullptr) {
    return ExclusiveScan(memory, bytes, data, data, combine, initial, count, stream);
  }
  template <class InOut, class Operator, class Count>
  static std::enable_if_t<std::is_integral<Count>::value, cudaError_t> InclusiveScan(
      void* memory, size_t& bytes, InOut data, Operator combine, Count count, cudaStream_t stream = nullptr) {
    return InclusiveScan(memory, bytes, data, data, combine, count, stream);
  }
  template <class InOut, class Count>
  static std::enable_if_t<std::is_integral<Count>::value, cudaError_t> ExclusiveSum(
      void* memory, size_t& bytes, InOut data, Count count, cudaStream_t stream = nullptr) {
    return ExclusiveSum(memory, bytes, data, data, count, stream);
  }
  template <class InOut, class Count>
  static std::enable_if_t<std::is_integral<Count>::value, cudaError_t> InclusiveSum(
      void* memory, size_t& bytes, InOut data, Count count, cudaStream_t stream = nullptr) {
    return InclusiveSum(memory, bytes, data, data, count, stream);
  }

  /// A scan of its own for each run of equal keys.
  template <class Keys, class In, class Out, class Operator, class T, class Count, class Equal = Equality>
  static cudaError_t ExclusiveScanByKey(void* memory, size_t& bytes, Keys keys, In in, Out out,
                                        Operator combine, T initial, Count count, Equal equal = Equal(),
                                        cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream,
                                [&] { exclusive(keys, in, out, combine, initial, count, equal); });
  }
  template <class Keys, class In, class Out, class Operator, class Count, class Equal = Equality>
  static cudaError_t InclusiveScanByKey(void* memory, size_t& bytes, Keys keys, In in, Out out,
                                        Operator combine, Count count, Equal equal = Equal(),
                                        cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream,
                                [&] { inclusive(keys, in, out, combine, count, equal); });
  }
  template <class Keys, class In, class Out, class Count, class Equal = Equality>
  static cudaError_t ExclusiveSumByKey(void* memory, size_t& bytes, Keys keys, In in, Out out, Count count,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return ExclusiveScanByKey(memory, bytes, keys, in, out, cub::Sum(), cui_detail::ValueOf<In>(), count,
                              equal, stream);
  }
  template <class Keys, class In, class Out, class Count, class Equal = Equality>
  static cudaError_t InclusiveSumByKey(void* memory, size_t& bytes, Keys keys, In in, Out out, Count count,
                                       Equal equal = Equal(), cudaStream_t stream = nullptr) {
    return InclusiveScanByKey(memory, bytes, keys, in, out, cub::Sum(), count, equal, stream);
  }

 private:
  // Keys are read before the output is written, which may be the keys.
  template <class Keys, class In, class Out, class Operator, class T, class Count, class Equal>
  static void exclusive(Keys keys, In in, Out out, Operator combine, T initial, Count count, Equal equal) {
    if (count <= 0) return;
    using Initial = typename cui_detail::InitialOf<T>::Type;
    using Sum = cui_detail::Accumulated<Operator, cui_detail::ValueOf<In>, Initial>;
    const Sum start = static_cast<Initial>(initial);
    Sum sum = start;
    auto last = keys[0];
    for (Count i = 0; i < count; ++i) {
      auto key = keys[i];
      const cui_detail::ValueOf<In> item = in[i];
      if (i > 0 && !equal(last, key)) sum = start;
      out[i] = sum;
      sum = combine(sum, item);
      last = key;
    }
  }
  template <class Keys, class In, class Out, class Operator, class Count, class Equal>
  static void inclusive(Keys keys, In in, Out out, Operator combine, Count count, Equal equal) {
    if (count <= 0) return;
    cui_detail::Accumulated<Operator, cui_detail::ValueOf<In>> sum = in[0];
    auto last = keys[0];
    out[0] = sum;
    for (Count i = 1; i < count; ++i) {
      auto key = keys[i];
      const cui_detail::ValueOf<In> item = in[i];
      if (equal(last, key))
        sum = combine(sum, item);
      else
        sum = item;
      out[i] = sum;
      last = key;
    }
  }
};

}  // namespace cub
