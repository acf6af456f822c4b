// cub::BlockExchange: items change their threads through memory. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

namespace cui_detail {

/// What a block's and a warp's have in common: Group has the number of threads, the calling one's, and a
/// barrier. Item i of a thread is number thread * items + i (blocked) or i * threads + thread (striped).
template <class T, int items, class Group>
class Exchange {
  static constexpr int threads = Group::threads;

 public:
  struct TempStorage {
    Values<T, threads * items> cuiValues;
  };
  __device__ Exchange() : storage_(ownStorage<TempStorage>()) {}
  __device__ explicit Exchange(TempStorage& storage) : storage_(storage) {}

  template <class Out>
  __device__ void BlockedToStriped(const T (&in)[items], Out (&out)[items]) {
    move(in, out, [](int i) { return blocked(i); }, [](int i) { return striped(i); });
  }
  template <class Out>
  __device__ void StripedToBlocked(const T (&in)[items], Out (&out)[items]) {
    move(in, out, [](int i) { return striped(i); }, [](int i) { return blocked(i); });
  }
  template <class Out>
  __device__ void BlockedToWarpStriped(const T (&in)[items], Out (&out)[items]) {
    move(in, out, [](int i) { return blocked(i); }, [](int i) { return warpStriped(i); });
  }
  template <class Out>
  __device__ void WarpStripedToBlocked(const T (&in)[items], Out (&out)[items]) {
    move(in, out, [](int i) { return warpStriped(i); }, [](int i) { return blocked(i); });
  }
  template <class Out, class Rank>
  __device__ void ScatterToBlocked(const T (&in)[items], Out (&out)[items], const Rank (&ranks)[items]) {
    move(in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [](int i) { return blocked(i); });
  }
  template <class Out, class Rank>
  __device__ void ScatterToStriped(const T (&in)[items], Out (&out)[items], const Rank (&ranks)[items]) {
    move(in, out, [&](int i) { return static_cast<int>(ranks[i]); }, [](int i) { return striped(i); });
  }
  __device__ void BlockedToStriped(T (&inOut)[items]) { BlockedToStriped(inOut, inOut); }
  __device__ void StripedToBlocked(T (&inOut)[items]) { StripedToBlocked(inOut, inOut); }
  __device__ void BlockedToWarpStriped(T (&inOut)[items]) { BlockedToWarpStriped(inOut, inOut); }
  __device__ void WarpStripedToBlocked(T (&inOut)[items]) { WarpStripedToBlocked(inOut, inOut); }
  template <class Rank>
  __device__ void ScatterToBlocked(T (&inOut)[items], const Rank (&ranks)[items]) {
    ScatterToBlocked(inOut, inOut, ranks);
  }
  template <class Rank>
  __device__ void ScatterToStriped(T (&inOut)[items], const Rank (&ranks)[items]) {
    ScatterToStriped(inOut, inOut, ranks);
  }

 private:
  static __device__ int blocked(int i) { return Group::thread() * items + i; }
  static __device__ int striped(int i) { return i * threads + Group::thread(); }
  static __device__ int warpStriped(int i) {
    return Group::thread() / 32 * 32 * items + i * 32 + Group::thread() % 32;
  }
  template <class Out, class To, class From>
  __device__ void move(const T (&in)[items], Out (&out)[items], To to, From from) {
    for (int i = 0; i < items; ++i) storage_.cuiValues[to(i)] = in[i];
    Group::sync();
    for (int i = 0; i < items; ++i) out[i] = storage_.cuiValues[from(i)];
  }

  TempStorage& storage_;
};

template <int count>
struct BlockOf {
  static constexpr int threads = count;
  static __device__ int thread() { return cui_detail::thread(); }
  static __device__ void sync() { __syncthreads(); }
};

}  // namespace cui_detail

template <class T, int X, int items, bool TimeSliced = false, int Y = 1, int Z = 1,
          int LegacyArchitecture = 0>
class BlockExchange : public cui_detail::Exchange<T, items, cui_detail::BlockOf<X * Y * Z>> {
  using cui_detail::Exchange<T, items, cui_detail::BlockOf<X * Y * Z>>::Exchange;
};

}  // namespace cub
