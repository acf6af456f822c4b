// cub::DeviceSelect, DevicePartition and DeviceRunLengthEncode. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

struct DeviceSelect {
  template <class In, class Flags, class Out, class Selected, class Count, cui_detail::IfCount<Count> = 0>
  static cudaError_t Flagged(void* memory, size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count count, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      Count kept = 0;
      for (Count i = 0; i < count; ++i)
        if (flags[i]) out[kept++] = in[i];
      *selected = kept;
    });
  }
  template <class In, class Out, class Selected, class Count, class Predicate, cui_detail::IfCount<Count> = 0>
  static cudaError_t If(void* memory, size_t& bytes, In in, Out out, Selected selected, Count count,
                        Predicate predicate, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      Count kept = 0;
      for (Count i = 0; i < count; ++i)
        if (predicate(in[i])) out[kept++] = in[i];
      *selected = kept;
    });
  }
  /// In place.
  template <class Data, class Flags, class Selected, class Count, cui_detail::IfCount<Count> = 0>
  static cudaError_t Flagged(void* memory, size_t& bytes, Data data, Flags flags, Selected selected,
                             Count count, cudaStream_t stream = nullptr) {
    return Flagged(memory, bytes, data, flags, data, selected, count, stream);
  }
  template <class Data, class Selected, class Count, class Predicate, cui_detail::IfCount<Count> = 0>
  static cudaError_t If(void* memory, size_t& bytes, Data data, Selected selected, Count count,
                        Predicate predicate, cudaStream_t stream = nullptr) {
    return If(memory, bytes, data, data, selected, count, predicate, stream);
  }
  /// The first of each run of equal items.
  template <class In, class Out, class Selected, class Count>
  static cudaError_t Unique(void* memory, size_t& bytes, In in, Out out, Selected selected, Count count,
                            cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      Count kept = 0;
      for (Count i = 0; i < count; ++i)
        if (i == 0 || !(in[i] == in[i - 1])) out[kept++] = in[i];
      *selected = kept;
    });
  }
  /// The same of keys, with the value of each that is kept.
  template <class KeysIn, class In, class Keys, class Out, class Selected, class Count>
  static cudaError_t UniqueByKey(void* memory, size_t& bytes, KeysIn keysIn, In in, Keys keys, Out out,
                                 Selected selected, Count count, cudaStream_t stream = nullptr) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      Count kept = 0;
      for (Count i = 0; i < count; ++i)
        if (i == 0 || !(keysIn[i] == keysIn[i - 1])) {
          keys[kept] = keysIn[i];
          out[kept++] = in[i];
        }
      *selected = kept;
    });
  }
};

/// What is not selected goes to the output's end, in reverse order.
struct DevicePartition {
  template <class In, class Flags, class Out, class Selected, class Count>
  static cudaError_t Flagged(void* memory, size_t& bytes, In in, Flags flags, Out out, Selected selected,
                             Count count, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      divide(in, out, selected, count, [&](Count i) { return static_cast<bool>(flags[i]); });
    });
  }
  template <class In, class Out, class Selected, class Count, class Predicate>
  static cudaError_t If(void* memory, size_t& bytes, In in, Out out, Selected selected, Count count,
                        Predicate predicate, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      divide(in, out, selected, count, [&](Count i) { return static_cast<bool>(predicate(in[i])); });
    });
  }

 private:
  template <class In, class Out, class Selected, class Count, class Keeps>
  static void divide(In in, Out out, Selected selected, Count count, Keeps keeps) {
    Count kept = 0, left = 0;
    for (Count i = 0; i < count; ++i) {
      if (keeps(i))
        out[kept++] = in[i];
      else
        out[count - ++left] = in[i];
    }
    *selected = kept;
  }
};

struct DeviceRunLengthEncode {
  template <class In, class Uniques, class Lengths, class Runs, class Count>
  static cudaError_t Encode(void* memory, size_t& bytes, In in, Uniques uniques, Lengths lengths, Runs runs,
                            Count count, cudaStream_t stream = nullptr, bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      Count run = 0;
      for (Count i = 0; i < count; ++run) {
        const Count begin = i;
        while (i < count && in[i] == in[begin]) ++i;
        uniques[run] = in[begin];
        lengths[run] = i - begin;
      }
      *runs = run;
    });
  }
};

}  // namespace cub
