// cub::BlockRadixRank: where each key goes when a block's keys are sorted by one digit. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

/// `count` bits of a key from `begin` on.
template <class Key>
struct BFEDigitExtractor {
  explicit __device__ BFEDigitExtractor(unsigned int begin = 0, unsigned int count = 0)
      : begin_(begin), count_(count) {}
  __device__ unsigned int Digit(typename Traits<Key>::UnsignedBits key) const {
    return static_cast<unsigned int>(key >> begin_) & ((1u << count_) - 1);
  }

 private:
  unsigned int begin_, count_;
};
template <class Key>
struct ShiftDigitExtractor : BFEDigitExtractor<Key> {
  using BFEDigitExtractor<Key>::BFEDigitExtractor;
};

template <int X, int RadixBits, bool Descending, bool MemoizeOuterScan = true, int InnerScan = 0,
          int SharedMemory = 0, int Y = 1, int Z = 1>
class BlockRadixRank {
  static constexpr int threads = X * Y * Z, digits = 1 << RadixBits;

 public:
  static constexpr int BINS_TRACKED_PER_THREAD = (digits + threads - 1) / threads;
  struct TempStorage {
    int cuiCounts[threads][digits];
    int cuiFirst[digits];
  };
  __device__ BlockRadixRank() : storage_(cui_detail::ownStorage<TempStorage>()) {}
  __device__ explicit BlockRadixRank(TempStorage& storage) : storage_(storage) {}

  template <class Bits, int items, class Extractor>
  __device__ void RankKeys(Bits (&keys)[items], int (&ranks)[items], Extractor extractor) {
    const int thread = cui_detail::thread();
    int (&own)[digits] = storage_.cuiCounts[thread];
    for (int& count : own) count = 0;
    for (int i = 0; i < items; ++i) ranks[i] = own[at(extractor.Digit(keys[i]))]++;
    __syncthreads();
    if (thread == 0) {
      int sum = 0;
      for (int digit = 0; digit < digits; ++digit) {
        storage_.cuiFirst[digit] = sum;
        for (int (&counts)[digits] : storage_.cuiCounts) {
          const int count = counts[digit];
          counts[digit] = sum;
          sum += count;
        }
      }
    }
    __syncthreads();
    for (int i = 0; i < items; ++i) ranks[i] += own[at(extractor.Digit(keys[i]))];
  }
  /// Also the rank of the first key of each of the thread's digits.
  template <class Bits, int items, class Extractor>
  __device__ void RankKeys(Bits (&keys)[items], int (&ranks)[items], Extractor extractor,
                           int (&firsts)[BINS_TRACKED_PER_THREAD]) {
    RankKeys(keys, ranks, extractor);
    for (int i = 0; i < BINS_TRACKED_PER_THREAD; ++i) {
      const int digit = cui_detail::thread() * BINS_TRACKED_PER_THREAD + i;
      if (digit < digits) firsts[i] = storage_.cuiFirst[at(static_cast<unsigned int>(digit))];
    }
  }

 private:
  static __device__ unsigned int at(unsigned int digit) { return Descending ? digits - 1 - digit : digit; }

  TempStorage& storage_;
};

}  // namespace cub
