// cub::DeviceHistogram of one channel. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_device.cuh"

namespace cub {

struct DeviceHistogram {
  /// levels - 1 bins of equal width; samples outside [lower, upper) count nowhere.
  template <class In, class Counter, class Level, class Count>
  static cudaError_t HistogramEven(void* memory, size_t& bytes, In samples, Counter* histogram, int levels,
                                   Level lower, Level upper, Count count, cudaStream_t stream = nullptr,
                                   bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      const int bins = levels - 1;
      std::fill(histogram, histogram + bins, Counter());
      for (Count i = 0; i < count; ++i) {
        const Level sample = static_cast<Level>(samples[i]);
        if (sample < lower || !(sample < upper)) continue;
        ++histogram[binOf(sample - lower, upper - lower, bins, std::is_integral<Level>())];
      }
    });
  }
  /// Bin i holds [level[i], level[i + 1]).
  template <class In, class Counter, class Level, class Count>
  static cudaError_t HistogramRange(void* memory, size_t& bytes, In samples, Counter* histogram, int levels,
                                    const Level* level, Count count, cudaStream_t stream = nullptr,
                                    bool = false) {
    return cui_detail::onDevice(memory, bytes, stream, [&] {
      std::fill(histogram, histogram + (levels - 1), Counter());
      for (Count i = 0; i < count; ++i) {
        const auto bin = std::upper_bound(level, level + levels, static_cast<Level>(samples[i])) - level - 1;
        if (bin >= 0 && bin < levels - 1) ++histogram[bin];
      }
    });
  }

 private:
  template <class Level>
  static int binOf(Level offset, Level width, int bins, std::true_type) {
    return static_cast<int>(static_cast<unsigned long long>(offset) * static_cast<unsigned>(bins) /
                            static_cast<unsigned long long>(width));
  }
  template <class Level>
  static int binOf(Level offset, Level width, int bins, std::false_type) {
    const int bin = static_cast<int>(offset * (Level(bins) / width));
    return bin < bins ? bin : bins - 1;
  }
};

}  // namespace cub
