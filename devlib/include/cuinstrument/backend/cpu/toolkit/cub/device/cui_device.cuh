// How the algorithms of a whole device run: on the host, when they are called. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <algorithm>
#include <chrono>  // programs count on it
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "../block/block_radix_sort.cuh"
#include "../iterator/counting_input_iterator.cuh"

namespace cub {
namespace cui_detail {

template <class Iterator>
using ValueOf = typename std::iterator_traits<Iterator>::value_type;
/// What an output holds, or the input if anything may be stored there.
template <class Out, class In>
using Result =
    std::conditional_t<std::is_void<ValueOf<Out>>::value || std::is_same<ValueOf<Out>, NullType>::value,
                       ValueOf<In>, ValueOf<Out>>;

/// Tells overloads apart that have as many arguments, of which one is how many items there are.
template <class Count>
using IfCount = std::enable_if_t<std::is_integral<Count>::value, int>;

/// What a sum is kept in: what the operator makes of an item and of what is there in the beginning.
template <class Operator, class Item, class Initial = Item>
using Accumulated =
    std::decay_t<decltype(std::declval<Operator&>()(std::declval<Item>(), std::declval<Initial>()))>;

/// CUB's two calls: the first asks how much memory is needed. A graph cannot keep what runs on the host.
template <class Work>
cudaError_t onDevice(void* memory, size_t& bytes, cudaStream_t stream, const Work& work) {
  if (!memory) {
    bytes = 1;
    return cudaSuccess;
  }
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t error = cudaStreamIsCapturing(stream, &status);
  if (error != cudaSuccess) return error;
  if (status != cudaStreamCaptureStatusNone) return cudaErrorStreamCaptureUnsupported;
  work();
  return cudaSuccess;
}

}  // namespace cui_detail

/// Two buffers that an algorithm may swap.
template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {nullptr, nullptr};
  int selector = 0;
  DoubleBuffer() = default;
  __host__ __device__ DoubleBuffer(T* current, T* other) : d_buffers{current, other} {}
  __host__ __device__ T* Current() const { return d_buffers[selector]; }
  __host__ __device__ T* Alternate() const { return d_buffers[selector ^ 1]; }
};

}  // namespace cub
