// cub::CachingDeviceAllocator. Nothing is kept back: what the backend allocates and frees takes no time that
// would be worth it, and each block is an allocation of its own, of the bytes asked for, in a trace. What is
// counted are the bytes that CUB's would have: those of a block's bin. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include <cstddef>
#include <map>
#include <mutex>

#include "util_device.cuh"

namespace cub {

class CachingDeviceAllocator {
 public:
  static constexpr unsigned int INVALID_BIN = ~0u;
  static constexpr size_t INVALID_SIZE = ~static_cast<size_t>(0);
  static constexpr int INVALID_DEVICE_ORDINAL = -1;

  struct TotalBytes {
    size_t free = 0, live = 0;
  };

  explicit CachingDeviceAllocator(bool = false, bool = false) : CachingDeviceAllocator(8, 3, 7) {}
  CachingDeviceAllocator(unsigned int growth, unsigned int least = 1, unsigned int most = INVALID_BIN,
                         size_t = INVALID_SIZE, bool = false, bool = false)
      : bin_growth(growth), min_bin(least), max_bin(most) {}
  CachingDeviceAllocator(const CachingDeviceAllocator&) = delete;
  CachingDeviceAllocator& operator=(const CachingDeviceAllocator&) = delete;

  cudaError_t SetMaxCachedBytes(size_t) { return cudaSuccess; }
  cudaError_t DeviceAllocate(int device, void** pointer, size_t bytes, cudaStream_t = nullptr) {
    *pointer = nullptr;
    if (device == INVALID_DEVICE_ORDINAL) device = CurrentDevice();
    SwitchDevice there(device);
    const cudaError_t error = CubDebug(cudaMalloc(pointer, bytes));
    if (error != cudaSuccess) return error;
    std::lock_guard<std::mutex> lock(mutex_);
    live_[*pointer] = device;
    cached_bytes[device].live += bytes_[*pointer] = binned(bytes);
    return cudaSuccess;
  }
  cudaError_t DeviceAllocate(void** pointer, size_t bytes, cudaStream_t stream = nullptr) {
    return DeviceAllocate(INVALID_DEVICE_ORDINAL, pointer, bytes, stream);
  }
  cudaError_t DeviceFree(int device, void* pointer) {
    if (device == INVALID_DEVICE_ORDINAL) device = CurrentDevice();
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto found = live_.find(pointer);
      if (found != live_.end()) {
        cached_bytes[found->second].live -= bytes_[pointer];
        bytes_.erase(pointer);
        live_.erase(found);
      }
    }
    SwitchDevice there(device);
    return CubDebug(cudaFree(pointer));
  }
  cudaError_t DeviceFree(void* pointer) { return DeviceFree(INVALID_DEVICE_ORDINAL, pointer); }
  cudaError_t FreeAllCached() { return cudaSuccess; }

  const unsigned int bin_growth, min_bin, max_bin;
  std::map<int, TotalBytes> cached_bytes;

 private:
  /// Bytes of the smallest bin that has room for `bytes`: bin_growth to the power of min_bin to max_bin;
  /// above, `bytes`.
  size_t binned(size_t bytes) const {
    size_t size = 1;
    unsigned int bin = 0;
    for (; bin < min_bin || (size < bytes && bin <= max_bin); ++bin) size *= bin_growth;
    return bin > max_bin ? bytes : size;
  }

  std::mutex mutex_;
  std::map<void*, int> live_;
  std::map<void*, size_t> bytes_;
};

}  // namespace cub
