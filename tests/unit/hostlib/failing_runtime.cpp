// Stands for the CUDA runtime in failing_child and contexts_test: devices (one, unless more are asked for)
// whose memory is files that another process can map, as the fake driver does (fake_driver.cpp). Once the
// device has failed, its memory cannot be touched here any more, and every call that would need it returns
// the error.
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <map>

#include "failing_runtime.h"

namespace {

struct Memory {
  std::size_t bytes;
  int file;
};
std::map<void*, Memory> allocations;
bool failed;
int deviceCount = 1, currentDevice = 0;
cudaError_t lastError = cudaSuccess;

cudaError_t result() {
  if (failed) lastError = cudaErrorIllegalAddress;
  return failed ? cudaErrorIllegalAddress : cudaSuccess;
}

}  // namespace

void haveDevices(int count) {
  deviceCount = count;
}

void failDevice() {
  failed = true;
  for (const auto& [at, memory] : allocations) mprotect(at, memory.bytes, PROT_NONE);
}

extern "C" {

cudaError_t cudaMalloc(void** to, std::size_t bytes) {
  if (result() != cudaSuccess) return result();
  const int file = memfd_create("device", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0) return cudaErrorMemoryAllocation;
  *to = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  allocations[*to] = {bytes, file};
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, const void*) {
  *to = cudaFuncAttributes();
  return result();
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void*, int, size_t) {
  *blocks = 0;
  return result();
}
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) {
  return result();
}
cudaError_t cudaFree(void*) {
  return result();
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  if (result() != cudaSuccess) return result();
  const auto found = allocations.find(memory);
  if (found == allocations.end()) return cudaErrorInvalidValue;
  std::snprintf(handle->reserved, sizeof handle->reserved, "/proc/%d/fd/%d", getpid(), found->second.file);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  if (result() == cudaSuccess) std::memcpy(to, from, bytes);
  return result();
}
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                              std::size_t width, std::size_t rows, cudaMemcpyKind, cudaStream_t) {
  for (std::size_t row = 0; row < rows && result() == cudaSuccess; ++row)
    std::memcpy(static_cast<char*>(to) + row * toPitch, static_cast<const char*>(from) + row * fromPitch,
                width);
  return result();
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t) {
  if (result() == cudaSuccess) std::memset(memory, value, bytes);
  return result();
}
cudaError_t cudaMemset2DAsync(void* memory, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                              cudaStream_t) {
  for (std::size_t row = 0; row < rows && result() == cudaSuccess; ++row)
    std::memset(static_cast<char*>(memory) + row * pitch, value, width);
  return result();
}
cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* all) {
  *available = *all = std::size_t{8} << 30;
  return result();
}
cudaError_t cudaHostAlloc(void** to, std::size_t bytes, unsigned) {
  *to = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return result();
}
cudaError_t cudaFreeHost(void*) {
  return result();
}
cudaError_t cudaHostRegister(void*, std::size_t, unsigned) {
  return result();
}
cudaError_t cudaHostUnregister(void*) {
  return result();
}
cudaError_t cudaHostGetDevicePointer(void** to, void* host, unsigned) {
  *to = host;
  return result();
}
cudaError_t cudaGetSymbolAddress(void** to, const void* symbol) {
  *to = const_cast<void*>(symbol);
  return result();
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*) {
  return cudaErrorInvalidValue;
}

cudaError_t cudaGetDevice(int* device) {
  *device = currentDevice;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = deviceCount;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= deviceCount) return cudaErrorInvalidDevice;
  currentDevice = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = cudaDeviceProp();
  std::memset(&properties->uuid, 7, sizeof properties->uuid);
  std::strcpy(properties->name, "a device that fails");
  properties->multiProcessorCount = 1;
  return result();
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit) {
  *value = 1024;
  return result();
}
cudaError_t cudaDeviceSetLimit(cudaLimit, std::size_t) {
  return result();
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = nullptr;
  return result();
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
  return result();
}
cudaError_t cudaStreamQuery(cudaStream_t) {
  return result();
}
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
  *status = cudaStreamCaptureStatusNone;
  return result();
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = nullptr;
  return result();
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
  return result();
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
  return result();
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return result();
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t, cudaEvent_t) {
  *ms = 0;
  return result();
}

/// As that of CUDA 13: what stays comes again with the next call, not with the next question.
cudaError_t cudaGetLastError() {
  const cudaError_t error = lastError;
  lastError = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() {
  return lastError;
}
const char* cudaGetErrorName(cudaError_t) {
  return "cudaError";
}
cudaError_t cudaGetDriverEntryPointByVersion(const char*, void**, unsigned, unsigned long long,
                                             cudaDriverEntryPointQueryResult*) {
  return cudaErrorInvalidValue;
}
}
