// cub::DeviceScan: in the order of the items; the output may be the input. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class Operator, class T, class Count>
  static cudaError_t ExclusiveScan(void* memory, size_t& bytes, In in, Out out, Operator combine, T initial,
                                   Count count, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      T sum = initial;
      for (Count i = 0; i < count; ++i) {
        const auto item = in[i];
        out[i] = sum;
        sum = combine(sum, item);
      }
    });
  }
  template <class In, class Out, class Operator, class Count>
  static cudaError_t InclusiveScan(void* memory, size_t& bytes, In in, Out out, Operator combine, Count count,
                                   cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      if (count <= 0) return;
      cui_detail::Result<Out, In> sum = in[0];
      out[0] = sum;
      for (Count i = 1; i < count; ++i) {
        sum = combine(sum, in[i]);
        out[i] = sum;
      }
    });
  }
  template <class In, class Out, class Count>
  static cudaError_t ExclusiveSum(void* memory, size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr, bool = false) {
    return ExclusiveScan(memory, bytes, in, out, cub::Sum(), cui_detail::Result<Out, In>(), count, stream);
  }
  template <class In, class Out, class Count>
  static cudaError_t InclusiveSum(void* memory, size_t& bytes, In in, Out out, Count count,
                                  cudaStream_t stream = nullptr, bool = false) {
    return InclusiveScan(memory, bytes, in, out, cub::Sum(), count, stream);
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
};

}  // namespace cub
