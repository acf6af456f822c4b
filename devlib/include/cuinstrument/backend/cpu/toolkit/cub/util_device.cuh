// What CUB says of devices, in the runtime's words. -*- C++ -*-
#pragma once
#pragma GCC system_header

#include "cui_common.cuh"

namespace cub {

inline int CurrentDevice() {
  int device = -1;
  return CubDebug(cudaGetDevice(&device)) == cudaSuccess ? device : -1;
}
inline int DeviceCount() {
  int count = -1;
  return CubDebug(cudaGetDeviceCount(&count)) == cudaSuccess ? count : -1;
}
/// 900 for compute capability 9.0.
inline cudaError_t SmVersion(int& version, int device = CurrentDevice()) {
  int major = 0, minor = 0;
  cudaError_t error = CubDebug(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  if (error == cudaSuccess)
    error = CubDebug(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  if (error == cudaSuccess) version = major * 100 + minor * 10;
  return error;
}
inline cudaError_t PtxVersion(int& version) {
  return SmVersion(version);
}
inline cudaError_t PtxVersion(int& version, int device) {
  return SmVersion(version, device);
}
inline cudaError_t SyncStream(cudaStream_t stream) {
  return CubDebug(cudaStreamSynchronize(stream));
}
template <class Kernel>
cudaError_t MaxSmOccupancy(int& blocks, Kernel kernel, int threads, int bytes = 0) {
  return CubDebug(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, static_cast<size_t>(bytes)));
}

/// Another device is current as long as it lives.
struct SwitchDevice {
  explicit SwitchDevice(int device) : before_(CurrentDevice()) { CubDebug(cudaSetDevice(device)); }
  SwitchDevice(const SwitchDevice&) = delete;
  SwitchDevice& operator=(const SwitchDevice&) = delete;
  ~SwitchDevice() { CubDebug(cudaSetDevice(before_)); }

 private:
  int before_;
};

}  // namespace cub
