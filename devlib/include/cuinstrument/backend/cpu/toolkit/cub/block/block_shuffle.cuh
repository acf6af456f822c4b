// cub::BlockShuffle: items of other threads of the block. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1>
class BlockShuffle {
  static constexpr int threads = X * Y * Z;

 public:
  using TempStorage = cui_detail::Values<T, threads>;
  __device__ BlockShuffle() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockShuffle(TempStorage& storage) : storage_(storage) {}

  /// Of the thread `distance` behind the caller; who has none there keeps what it has.
  __device__ void Offset(T input, T& output, int distance = 1) {
    leave(input);
    const int from = cui_detail::thread() + distance;
    if (from >= 0 && from < threads) output = storage_[from];
  }
  __device__ void Rotate(T input, T& output, unsigned int distance = 1) {
    leave(input);
    const unsigned int from = static_cast<unsigned int>(cui_detail::thread()) + distance;
    output = storage_[static_cast<int>(from % static_cast<unsigned int>(threads))];
  }
  /// Each item's predecessor; the block's first has none.
  template <int items>
  __device__ void Up(T (&input)[items], T (&before)[items]) {
    leave(input[items - 1]);
    for (int i = items - 1; i > 0; --i) before[i] = input[i - 1];
    const int thread = cui_detail::thread();
    if (thread > 0) before[0] = storage_[thread - 1];
  }
  template <int items>
  __device__ void Up(T (&input)[items], T (&before)[items], T& last) {
    Up(input, before);
    last = storage_[threads - 1];
  }
  /// Each item's successor; the block's last has none.
  template <int items>
  __device__ void Down(T (&input)[items], T (&after)[items]) {
    leave(input[0]);
    for (int i = 0; i + 1 < items; ++i) after[i] = input[i + 1];
    const int thread = cui_detail::thread();
    if (thread + 1 < threads) after[items - 1] = storage_[thread + 1];
  }
  template <int items>
  __device__ void Down(T (&input)[items], T (&after)[items], T& first) {
    Down(input, after);
    first = storage_[0];
  }

 private:
  __device__ void leave(const T& value) {
    storage_[cui_detail::thread()] = value;
    __syncthreads();
  }

  TempStorage& storage_;
};

}  // namespace cub
