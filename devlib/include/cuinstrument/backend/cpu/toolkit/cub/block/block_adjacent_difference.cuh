// cub::BlockAdjacentDifference and BlockDiscontinuity: what is between neighbours. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

namespace cui_detail {

/// Every thread's items, where its neighbours find their own ends.
template <class T, int threads>
struct Neighbours {
  Values<T, threads> firsts, lasts;
  __device__ void leave(const T& first, const T& last) {
    firsts[thread()] = first;
    lasts[thread()] = last;
    __syncthreads();
  }
};

}  // namespace cui_detail

template <class T, int X, int Y = 1, int Z = 1, int LegacyArchitecture = 0>
class BlockAdjacentDifference {
  static constexpr int threads = X * Y * Z;

 public:
  using TempStorage = cui_detail::Neighbours<T, threads>;
  __device__ BlockAdjacentDifference() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockAdjacentDifference(TempStorage& storage) : storage_(storage) {}

  /// out = difference(item, the one before it); the block's first is copied.
  template <int items, class Out, class Operator>
  __device__ void SubtractLeft(T (&in)[items], Out (&out)[items], Operator difference) {
    storage_.leave(in[0], in[items - 1]);
    const int thread = cui_detail::thread();
    for (int i = items - 1; i > 0; --i) out[i] = difference(in[i], in[i - 1]);
    out[0] = thread > 0 ? difference(in[0], storage_.lasts[thread - 1]) : in[0];
  }
  template <int items, class Out, class Operator>
  __device__ void SubtractLeft(T (&in)[items], Out (&out)[items], Operator difference, T before) {
    const T first = in[0];
    SubtractLeft(in, out, difference);
    if (cui_detail::thread() == 0) out[0] = difference(first, before);
  }
  /// out = difference(item, the one after it); the block's last is copied.
  template <int items, class Out, class Operator>
  __device__ void SubtractRight(T (&in)[items], Out (&out)[items], Operator difference) {
    storage_.leave(in[0], in[items - 1]);
    const int thread = cui_detail::thread();
    for (int i = 0; i + 1 < items; ++i) out[i] = difference(in[i], in[i + 1]);
    out[items - 1] =
        thread + 1 < threads ? difference(in[items - 1], storage_.firsts[thread + 1]) : in[items - 1];
  }
  template <int items, class Out, class Operator>
  __device__ void SubtractRight(T (&in)[items], Out (&out)[items], Operator difference, T after) {
    const T last = in[items - 1];
    SubtractRight(in, out, difference);
    if (cui_detail::thread() == threads - 1) out[items - 1] = difference(last, after);
  }

 private:
  TempStorage& storage_;
};

template <class T, int X, int Y = 1, int Z = 1, int LegacyArchitecture = 0>
class BlockDiscontinuity {
  static constexpr int threads = X * Y * Z;

 public:
  using TempStorage = cui_detail::Neighbours<T, threads>;
  __device__ BlockDiscontinuity() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockDiscontinuity(TempStorage& storage) : storage_(storage) {}

  /// Whether an item differs from the one before it; the block's first always does.
  template <int items, class Flag, class Operator>
  __device__ void FlagHeads(Flag (&heads)[items], T (&in)[items], Operator differs) {
    storage_.leave(in[0], in[items - 1]);
    const int thread = cui_detail::thread();
    heads[0] = thread == 0 || differs(storage_.lasts[thread - 1], in[0]);
    for (int i = 1; i < items; ++i) heads[i] = differs(in[i - 1], in[i]);
  }
  template <int items, class Flag, class Operator>
  __device__ void FlagHeads(Flag (&heads)[items], T (&in)[items], Operator differs, T before) {
    FlagHeads(heads, in, differs);
    if (cui_detail::thread() == 0) heads[0] = differs(before, in[0]);
  }
  /// Whether it differs from the one after it; the block's last always does.
  template <int items, class Flag, class Operator>
  __device__ void FlagTails(Flag (&tails)[items], T (&in)[items], Operator differs) {
    storage_.leave(in[0], in[items - 1]);
    const int thread = cui_detail::thread();
    for (int i = 0; i + 1 < items; ++i) tails[i] = differs(in[i], in[i + 1]);
    tails[items - 1] = thread == threads - 1 || differs(in[items - 1], storage_.firsts[thread + 1]);
  }
  template <int items, class Flag, class Operator>
  __device__ void FlagTails(Flag (&tails)[items], T (&in)[items], Operator differs, T after) {
    FlagTails(tails, in, differs);
    if (cui_detail::thread() == threads - 1) tails[items - 1] = differs(in[items - 1], after);
  }

 private:
  TempStorage& storage_;
};

}  // namespace cub
