// cub::DeviceReduce and DeviceSegmentedReduce: in the order of the items. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

struct DeviceReduce {
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t Reduce(void* memory, size_t& bytes, In in, Out out, Count count, Operator combine,
                            T initial, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] { *out = fold(in, count, combine, initial); });
  }
  template <class In, class Out, class Operator, class Transform, class T, class Count>
  static cudaError_t TransformReduce(void* memory, size_t& bytes, In in, Out out, Count count,
                                     Operator combine, Transform transform, T initial,
                                     cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      cui_detail::Accumulated<Operator, std::decay_t<decltype(transform(in[0]))>, T> result = initial;
      for (Count i = 0; i < count; ++i) result = combine(result, transform(in[i]));
      *out = result;
    });
  }
  template <class In, class Out, class Count>
  static cudaError_t Sum(void* memory, size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr, bool = false) {
    return Reduce(memory, bytes, in, out, count, cub::Sum(), cui_detail::Result<Out, In>(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Min(void* memory, size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr, bool = false) {
    using T = cui_detail::ValueOf<In>;
    return best(memory, bytes, in, out, count, cub::Min(), (std::numeric_limits<T>::max)(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t Max(void* memory, size_t& bytes, In in, Out out, Count count,
                         cudaStream_t stream = nullptr, bool = false) {
    using T = cui_detail::ValueOf<In>;
    return best(memory, bytes, in, out, count, cub::Max(), (std::numeric_limits<T>::lowest)(), stream);
  }
  /// The first of the smallest (largest), with its position.
  template <class In, class Out, class Count>
  static cudaError_t ArgMin(void* memory, size_t& bytes, In in, Out out, Count count,
                            cudaStream_t stream = nullptr, bool = false) {
    using T = cui_detail::ValueOf<In>;
    return arg(memory, bytes, in, out, count, cub::ArgMin(), (std::numeric_limits<T>::max)(), stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t ArgMax(void* memory, size_t& bytes, In in, Out out, Count count,
                            cudaStream_t stream = nullptr, bool = false) {
    using T = cui_detail::ValueOf<In>;
    return arg(memory, bytes, in, out, count, cub::ArgMax(), (std::numeric_limits<T>::lowest)(), stream);
  }
  template <class Keys, class Uniques, class In, class Out, class Runs, class Operator, class Count>
  static cudaError_t ReduceByKey(void* memory, size_t& bytes, Keys keys, Uniques uniques, In in, Out out,
                                 Runs runs, Operator combine, Count count, cudaStream_t stream = nullptr,
                                 bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      Count run = 0;
      for (Count i = 0; i < count; ++run) {
        cui_detail::Accumulated<Operator, cui_detail::ValueOf<In>> total = in[i];
        uniques[run] = keys[i];
        const Count begin = i;
        for (++i; i < count && keys[i] == keys[begin]; ++i) total = combine(total, in[i]);
        out[run] = total;
      }
      *runs = run;
    });
  }

 private:
  friend struct DeviceSegmentedReduce;
  template <class In, class Operator, class T, class Count>
  static auto fold(In in, Count count, Operator combine, T initial) {
    cui_detail::Accumulated<Operator, cui_detail::ValueOf<In>, T> result = initial;
    for (Count i = 0; i < count; ++i) result = combine(result, in[i]);
    return result;
  }
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t best(void* memory, size_t& bytes, In in, Out out, Count count, Operator combine, T none,
                          cudaStream_t stream) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      *out = count > 0 ? fold(in, count, combine, static_cast<T>(in[0])) : none;
    });
  }
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t arg(void* memory, size_t& bytes, In in, Out out, Count count, Operator combine, T none,
                         cudaStream_t stream) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      KeyValuePair<int, T> result(count > 0 ? 0 : 1, count > 0 ? static_cast<T>(in[0]) : none);
      for (Count i = 1; i < count; ++i)
        result = combine(result, KeyValuePair<int, T>(static_cast<int>(i), in[i]));
      *out = result;
    });
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begins, class Ends, class Operator, class T>
  static cudaError_t Reduce(void* memory, size_t& bytes, In in, Out out, long long segments, Begins begins,
                            Ends ends, Operator combine, T initial, cudaStream_t stream = nullptr,
                            bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      for (long long i = 0; i < segments; ++i)
        out[i] =
            DeviceReduce::fold(in + begins[i], static_cast<long long>(ends[i] - begins[i]), combine, initial);
    });
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Sum(void* memory, size_t& bytes, In in, Out out, long long segments, Begins begins,
                         Ends ends, cudaStream_t stream = nullptr, bool = false) {
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Sum(), cui_detail::Result<Out, In>(),
                  stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Min(void* memory, size_t& bytes, In in, Out out, long long segments, Begins begins,
                         Ends ends, cudaStream_t stream = nullptr, bool = false) {
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Min(),
                  (std::numeric_limits<cui_detail::ValueOf<In>>::max)(), stream);
  }
  template <class In, class Out, class Begins, class Ends>
  static cudaError_t Max(void* memory, size_t& bytes, In in, Out out, long long segments, Begins begins,
                         Ends ends, cudaStream_t stream = nullptr, bool = false) {
    return Reduce(memory, bytes, in, out, segments, begins, ends, cub::Max(),
                  (std::numeric_limits<cui_detail::ValueOf<In>>::lowest)(), stream);
  }
};

}  // namespace cub
