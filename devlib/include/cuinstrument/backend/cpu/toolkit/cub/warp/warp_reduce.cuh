// cub::WarpReduce and WarpScan, by shuffles among Lanes threads, a power of two. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

namespace cui_detail {

template <int Lanes>
struct LogicalWarp {
  static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0, "a logical warp is a power of two");
  static constexpr int threads = Lanes;
  static __device__ int thread() { return static_cast<int>(LaneId()) % Lanes; }
  static __device__ unsigned int mask() { return cooperative_groups::cui_detail::tileMask(Lanes); }
  static __device__ void sync() { __syncwarp(mask()); }
  /// What the member of that rank has.
  template <class T>
  static __device__ T from(const T& value, int rank) {
    return cooperative_groups::cui_detail::exchange(mask(), value,
                                                    static_cast<int>(LaneId()) / Lanes * Lanes + rank);
  }
};

}  // namespace cui_detail

template <class T, int Lanes = 32, int LegacyArchitecture = 0>
class WarpReduce {
  using Warp = cui_detail::LogicalWarp<Lanes>;

 public:
  struct TempStorage {
    char cuiUnused;
  };
  __device__ explicit WarpReduce(TempStorage&) {}

  /// The result is the first lane's.
  template <class Operator>
  __device__ T Reduce(T input, Operator combine, int valid) {
    const int lane = Warp::thread();
    for (int offset = 1; offset < Lanes; offset *= 2) {
      const int other = lane + offset;
      const T value = Warp::from(input, other < Lanes ? other : lane);
      if (other < valid) input = combine(input, value);
    }
    return input;
  }
  template <class Operator>
  __device__ T Reduce(T input, Operator combine) {
    return Reduce(input, combine, Lanes);
  }
  __device__ T Sum(T input) { return Reduce(input, cub::Sum()); }
  __device__ T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }

  /// The result is each segment's first lane's. A segment begins where a lane has a flag.
  template <class Flag, class Operator>
  __device__ T HeadSegmentedReduce(T input, Flag head, Operator combine) {
    return Reduce(input, combine, end(flags(head) >> Warp::thread() >> 1));
  }
  /// A segment ends where a lane has a flag.
  template <class Flag, class Operator>
  __device__ T TailSegmentedReduce(T input, Flag tail, Operator combine) {
    return Reduce(input, combine, end(flags(tail) >> Warp::thread()));
  }
  template <class Flag>
  __device__ T HeadSegmentedSum(T input, Flag head) {
    return HeadSegmentedReduce(input, head, cub::Sum());
  }
  template <class Flag>
  __device__ T TailSegmentedSum(T input, Flag tail) {
    return TailSegmentedReduce(input, tail, cub::Sum());
  }

 private:
  /// Which lanes of this warp have a flag.
  template <class Flag>
  static __device__ unsigned int flags(Flag flag) {
    const unsigned int all = __ballot_sync(Warp::mask(), static_cast<bool>(flag));
    return all >> (static_cast<int>(LaneId()) / Lanes * Lanes) &
           static_cast<unsigned int>((1ull << Lanes) - 1);
  }
  /// Where the calling lane's segment ends, from the flags of its own lane, or the next one, and those
  /// behind.
  static __device__ int end(unsigned int flags) {
    return flags != 0 ? Warp::thread() + __ffs(static_cast<int>(flags)) : Lanes;
  }
};

template <class T, int Lanes = 32, int LegacyArchitecture = 0>
class WarpScan {
  using Warp = cui_detail::LogicalWarp<Lanes>;

 public:
  struct TempStorage {
    char cuiUnused;
  };
  __device__ explicit WarpScan(TempStorage&) {}

  template <class Operator>
  __device__ void InclusiveScan(T input, T& output, Operator combine) {
    const int lane = Warp::thread();
    for (int offset = 1; offset < Lanes; offset *= 2) {
      const T value = Warp::from(input, lane >= offset ? lane - offset : lane);
      if (lane >= offset) input = combine(value, input);
    }
    output = input;
  }
  template <class Operator>
  __device__ void InclusiveScan(T input, T& output, Operator combine, T& all) {
    InclusiveScan(input, output, combine);
    all = Warp::from(output, Lanes - 1);
  }
  template <class Operator>
  __device__ void ExclusiveScan(T input, T& output, T initial, Operator combine) {
    T all;
    ExclusiveScan(input, output, initial, combine, all);
  }
  /// `all` is without the initial value.
  template <class Operator>
  __device__ void ExclusiveScan(T input, T& output, T initial, Operator combine, T& all) {
    T inclusive;
    InclusiveScan(input, inclusive, combine, all);
    const int lane = Warp::thread();
    const T before = Warp::from(inclusive, lane > 0 ? lane - 1 : 0);
    output = lane > 0 ? combine(initial, before) : initial;
  }
  __device__ void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __device__ void InclusiveSum(T input, T& output, T& all) { InclusiveScan(input, output, cub::Sum(), all); }
  __device__ void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(), cub::Sum()); }
  __device__ void ExclusiveSum(T input, T& output, T& all) {
    ExclusiveScan(input, output, T(), cub::Sum(), all);
  }
  __device__ T Broadcast(T input, unsigned int lane) { return Warp::from(input, static_cast<int>(lane)); }
};

}  // namespace cub
