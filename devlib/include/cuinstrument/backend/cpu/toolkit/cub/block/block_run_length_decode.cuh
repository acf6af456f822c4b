// cub::BlockRunLengthDecode: runs of a value and a length become items, a window of them at a time. -*- C++
// -*-
#pragma once
#pragma GCC system_header

#include "../cui_common.cuh"

namespace cub {

template <class Item, int X, int runs, int items, class Offset = unsigned int, int Y = 1, int Z = 1>
class BlockRunLengthDecode {
  static constexpr int count = X * Y * Z * runs;

 public:
  struct TempStorage {
    cui_detail::Values<Item, count> cuiValues;
    Offset cuiBegins[count];
    Offset cuiTotal;
  };
  template <class Length, class Total>
  __device__ BlockRunLengthDecode(TempStorage& storage, Item (&values)[runs], Length (&lengths)[runs],
                                  Total& total)
      : storage_(storage) {
    initWithLengths(values, lengths, total);
  }
  template <class Begin>
  __device__ BlockRunLengthDecode(TempStorage& storage, Item (&values)[runs], Begin (&begins)[runs])
      : storage_(storage) {
    leave(values, begins);
  }
  template <class Length, class Total>
  __device__ BlockRunLengthDecode(Item (&values)[runs], Length (&lengths)[runs], Total& total)
      : storage_(cui_detail::ownStorage<TempStorage>()) {
    initWithLengths(values, lengths, total);
  }
  template <class Begin>
  __device__ BlockRunLengthDecode(Item (&values)[runs], Begin (&begins)[runs])
      : storage_(cui_detail::ownStorage<TempStorage>()) {
    leave(values, begins);
  }

  /// The items from number `from` on, and where in its run each of them is.
  template <class Relative>
  __device__ void RunLengthDecode(Item (&decoded)[items], Relative (&offsets)[items], Offset from = 0) {
    for (int i = 0; i < items; ++i) {
      const Offset at = from + static_cast<Offset>(cui_detail::thread() * items + i);
      int first = 0, behind = count;
      while (behind - first > 1) {
        const int middle = (first + behind) / 2;
        (storage_.cuiBegins[middle] <= at ? first : behind) = middle;
      }
      decoded[i] = storage_.cuiValues[first];
      offsets[i] = static_cast<Relative>(at - storage_.cuiBegins[first]);
    }
  }
  __device__ void RunLengthDecode(Item (&decoded)[items], Offset from = 0) {
    Offset offsets[items];
    RunLengthDecode(decoded, offsets, from);
  }

 private:
  template <class Begin>
  __device__ void leave(Item (&values)[runs], Begin (&begins)[runs]) {
    for (int i = 0; i < runs; ++i) {
      storage_.cuiValues[cui_detail::thread() * runs + i] = values[i];
      storage_.cuiBegins[cui_detail::thread() * runs + i] = static_cast<Offset>(begins[i]);
    }
    __syncthreads();
  }
  template <class Length, class Total>
  __device__ void initWithLengths(Item (&values)[runs], Length (&lengths)[runs], Total& total) {
    leave(values, lengths);
    if (cui_detail::thread() == 0) {
      Offset sum = 0;
      for (Offset& begin : storage_.cuiBegins) {
        const Offset length = begin;
        begin = sum;
        sum += length;
      }
      storage_.cuiTotal = sum;
    }
    __syncthreads();
    total = static_cast<Total>(storage_.cuiTotal);
  }

  TempStorage& storage_;
};

}  // namespace cub
