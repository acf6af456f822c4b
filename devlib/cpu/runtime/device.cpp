// The device describes itself as device_limits.h says, and is never busy. Several are alike (devices.h).
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "address_space.h"
#include "cuinstrument/backend/cpu/exec_log.h"
#include "cuinstrument/host/abi.h"
#include "device_limits.h"
#include "devices.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

constexpr int runtimeVersion = 13000;

const char* deviceName() {
  const char* name = std::getenv("CUINSTRUMENT_CPU_DEVICE_NAME");
  return name != nullptr && *name != '\0' ? name : "cuinstrument CPU backend";
}

int multiprocessors() {
  const char* text = std::getenv("CUINSTRUMENT_CPU_MULTIPROCESSORS");
  if (text == nullptr || *text == '\0') return limits::multiprocessors;
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (*end == '\0' && number >= 1 && number <= 1024) return static_cast<int>(number);
  std::fprintf(
      stderr, "cuinstrument: CUINSTRUMENT_CPU_MULTIPROCESSORS=%s is not between 1 and 1024; ignored\n", text);
  return limits::multiprocessors;
}

struct Device {
  char name[256] = {};
  int multiprocessors = 0;
  unsigned flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
  cudaFuncCache cacheConfig = cudaFuncCachePreferNone;
  std::size_t limit[cudaLimitPersistingL2CacheSize + 1] = {1024, 6912ul * 1024, 8 << 20, 0, 2048, 64, 0};
};

std::mutex deviceMutex;

Device& device() {
  static Device* only = [] {
    auto* d = new Device;
    std::snprintf(d->name, sizeof d->name, "%s", deviceName());
    d->multiprocessors = multiprocessors();
    return d;
  }();
  return *only;
}

/// Each device once; what they are is the same.
void announce() {
  static std::atomic<int> announced;
  for (int number = announced; number < deviceCount(); number = announced) {
    if (!announced.compare_exchange_strong(number, number + 1)) continue;
    CuiDevice description{};
    description.device = number;
    description.name = device().name;
    description.computeMajor = limits::computeMajor;
    description.computeMinor = limits::computeMinor;
    description.multiprocessors = device().multiprocessors;
    description.memoryBytes = addressSpace().deviceBytesTotal();
    description.l2Bytes = limits::l2Bytes;
    description.sharedBytesPerBlock = limits::sharedPerBlock;
    description.backend = "cpu";
    description.driverVersion = "13.0";
    description.runtimeVersion = "13.0";
    cuiDevice(&description);
  }
}

}  // namespace

cudaError_t enter() {
  announce();
  return static_cast<cudaError_t>(stickyError());
}

bool deviceAttribute(cudaDeviceAttr attribute, int& value) {
  // The driver's own (cuda.h): virtual memory, its file descriptors, memory that may be compressed.
  if (const int number = attribute; number == 102 || number == 103 || number == 107) {
    value = 1;
    return true;
  }
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      value = limits::threadsPerBlock;
      break;
    case cudaDevAttrMaxBlockDimX:
      value = limits::blockExtent[0];
      break;
    case cudaDevAttrMaxBlockDimY:
      value = limits::blockExtent[1];
      break;
    case cudaDevAttrMaxBlockDimZ:
      value = limits::blockExtent[2];
      break;
    case cudaDevAttrMaxGridDimX:
      value = limits::gridExtent[0];
      break;
    case cudaDevAttrMaxGridDimY:
      value = limits::gridExtent[1];
      break;
    case cudaDevAttrMaxGridDimZ:
      value = limits::gridExtent[2];
      break;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      value = static_cast<int>(limits::sharedPerBlock);
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      value = static_cast<int>(limits::sharedPerBlockOptin);
      break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      value = static_cast<int>(limits::sharedPerMultiprocessor);
      break;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      value = static_cast<int>(limits::reservedSharedPerBlock);
      break;
    case cudaDevAttrTotalConstantMemory:
      value = static_cast<int>(limits::constantBytes);
      break;
    case cudaDevAttrWarpSize:
      value = limits::warpSize;
      break;
    case cudaDevAttrMaxPitch:
      value = 2147483647;
      break;
    case cudaDevAttrMaxRegistersPerBlock:
      value = limits::registersPerBlock;
      break;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      value = limits::registersPerMultiprocessor;
      break;
    case cudaDevAttrMultiProcessorCount:
      value = device().multiprocessors;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      value = limits::threadsPerMultiprocessor;
      break;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      value = limits::blocksPerMultiprocessor;
      break;
    case cudaDevAttrL2CacheSize:
      value = static_cast<int>(limits::l2Bytes);
      break;
    case cudaDevAttrMaxPersistingL2CacheSize:
      value = static_cast<int>(limits::persistingL2Bytes);
      break;
    case cudaDevAttrMaxAccessPolicyWindowSize:
      value = static_cast<int>(limits::accessWindowBytes);
      break;
    case cudaDevAttrComputeCapabilityMajor:
      value = limits::computeMajor;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      value = limits::computeMinor;
      break;
    case cudaDevAttrClockRate:  // kHz: clock64() counts nanoseconds
    case cudaDevAttrMemoryClockRate:
      value = 1000000;
      break;
    case cudaDevAttrGlobalMemoryBusWidth:
      value = 64;
      break;  // bits
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      value = 2;
      break;
    case cudaDevAttrTextureAlignment:
    case cudaDevAttrSurfaceAlignment:
      value = 512;
      break;
    case cudaDevAttrTexturePitchAlignment:
      value = 32;
      break;
    case cudaDevAttrCanMapHostMemory:
    case cudaDevAttrUnifiedAddressing:
    case cudaDevAttrConcurrentKernels:
    case cudaDevAttrGpuOverlap:
    case cudaDevAttrStreamPrioritiesSupported:
    case cudaDevAttrGlobalL1CacheSupported:
    case cudaDevAttrLocalL1CacheSupported:
    case cudaDevAttrManagedMemory:
    case cudaDevAttrConcurrentManagedAccess:
    case cudaDevAttrCanUseHostPointerForRegisteredMem:
    case cudaDevAttrHostRegisterSupported:
    case cudaDevAttrComputePreemptionSupported:
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported:
    case cudaDevAttrAsyncEngineCount:
    case cudaDevAttrIpcEventSupport:
    case cudaDevAttrMemoryPoolSupportedHandleTypes:  // file descriptors
      value = 1;
      break;
    // Features the backend lacks, and texture and surface sizes: none.
    default:
      if (attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax) return false;
      value = 0;
      break;
  }
  return true;
}

}  // namespace cui::cpu

using namespace cui::cpu;

namespace {

/// Checks a device number; leaves the error.
cudaError_t onDevice(int number) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(isDevice(number) ? cudaSuccess : cudaErrorInvalidDevice);
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  deviceAttribute(which, value);
  return value;
}

}  // namespace

cudaError_t cudaInitDevice(int number, unsigned int deviceFlags, unsigned int flags) {
  if (const cudaError_t error = onDevice(number)) return error;
  if ((flags & cudaInitDeviceFlagsAreValid) != 0) return cudaSetDeviceFlags(deviceFlags);
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* p, int number) {
  if (const cudaError_t error = onDevice(number)) return error;
  if (p == nullptr) return leave(cudaErrorInvalidValue);
  *p = {};
  std::memcpy(p->name, device().name, sizeof p->name);
  std::memcpy(p->uuid.bytes, "cuinstrumentCPU0", sizeof p->uuid.bytes);
  p->uuid.bytes[sizeof p->uuid.bytes - 1] = static_cast<char>('0' + number);
  p->pciBusID = number;
  p->totalGlobalMem = addressSpace().deviceBytesTotal();
  p->sharedMemPerBlock = limits::sharedPerBlock;
  p->regsPerBlock = limits::registersPerBlock;
  p->warpSize = limits::warpSize;
  p->memPitch = static_cast<std::size_t>(attribute(cudaDevAttrMaxPitch));
  p->maxThreadsPerBlock = limits::threadsPerBlock;
  for (int i = 0; i < 3; ++i)
    p->maxThreadsDim[i] = limits::blockExtent[i], p->maxGridSize[i] = limits::gridExtent[i];
  p->totalConstMem = limits::constantBytes;
  p->major = limits::computeMajor;
  p->minor = limits::computeMinor;
  p->textureAlignment = static_cast<std::size_t>(attribute(cudaDevAttrTextureAlignment));
  p->texturePitchAlignment = static_cast<std::size_t>(attribute(cudaDevAttrTexturePitchAlignment));
  p->surfaceAlignment = static_cast<std::size_t>(attribute(cudaDevAttrSurfaceAlignment));
  p->multiProcessorCount = device().multiprocessors;
  p->canMapHostMemory = 1;
  p->concurrentKernels = 1;
  p->asyncEngineCount = attribute(cudaDevAttrAsyncEngineCount);
  p->unifiedAddressing = 1;
  p->memoryBusWidth = attribute(cudaDevAttrGlobalMemoryBusWidth);
  p->l2CacheSize = static_cast<int>(limits::l2Bytes);
  p->maxThreadsPerMultiProcessor = limits::threadsPerMultiprocessor;
  p->streamPrioritiesSupported = 1;
  p->globalL1CacheSupported = 1;
  p->localL1CacheSupported = 1;
  p->sharedMemPerMultiprocessor = limits::sharedPerMultiprocessor;
  p->regsPerMultiprocessor = limits::registersPerMultiprocessor;
  p->managedMemory = 1;
  p->concurrentManagedAccess = 1;
  p->computePreemptionSupported = 1;
  p->canUseHostPointerForRegisteredMem = 1;
  p->persistingL2CacheMaxSize = attribute(cudaDevAttrMaxPersistingL2CacheSize);
  p->accessPolicyMaxWindowSize = attribute(cudaDevAttrMaxAccessPolicyWindowSize);
  p->cooperativeLaunch = attribute(cudaDevAttrCooperativeLaunch);
  p->sharedMemPerBlockOptin = limits::sharedPerBlockOptin;
  p->maxBlocksPerMultiProcessor = limits::blocksPerMultiprocessor;
  p->reservedSharedMemPerBlock = limits::reservedSharedPerBlock;
  p->hostRegisterSupported = 1;
  p->memoryPoolsSupported = 1;
  p->memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  p->ipcEventSupported = 1;
  p->clockRate = attribute(cudaDevAttrClockRate);
  p->memoryClockRate = attribute(cudaDevAttrMemoryClockRate);
  p->deviceOverlap = 1;
  p->singleToDoublePrecisionPerfRatio = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr which, int number) {
  if (const cudaError_t error = onDevice(number)) return error;
  if (value == nullptr || !deviceAttribute(which, *value)) return leave(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  const unsigned schedule = flags & cudaDeviceScheduleMask;
  if ((flags & ~unsigned{cudaDeviceMask}) != 0 || (schedule & (schedule - 1)) != 0)
    return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(deviceMutex);
  device().flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (flags == nullptr) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(deviceMutex);
  *flags = device().flags;
  return cudaSuccess;
}

// Ends the context: device memory is gone. An error that broke the context stays, as it does in CUDA.
cudaError_t cudaDeviceReset() {
  if (const cudaError_t error = enter()) return leave(error);
  addressSpace().freeAllOf(currentDevice());
  setLastError(cudaSuccess);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  // A kernel that waited for kernels of its own would go on without their results. CUDA 12 has it no more,
  // either.
  if (cuiLaneLog != nullptr) cuiUnsupportedInKernel("cudaDeviceSynchronize in device code");
  return leave(enter());
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  if (const cudaError_t error = enter()) return leave(error);
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize ||
      limit == cudaLimitDevRuntimeSyncDepth)
    return leave(cudaErrorUnsupportedLimit);
  std::lock_guard<std::mutex> lock(deviceMutex);
  device().limit[limit] = value;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
  if (const cudaError_t error = enter()) return leave(error);
  if (value == nullptr) return leave(cudaErrorInvalidValue);
  if (limit < cudaLimitStackSize || limit > cudaLimitPersistingL2CacheSize ||
      limit == cudaLimitDevRuntimeSyncDepth)
    return leave(cudaErrorUnsupportedLimit);
  std::lock_guard<std::mutex> lock(deviceMutex);
  *value = device().limit[limit];
  return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  if (const cudaError_t error = enter()) return leave(error);
  if (config > cudaFuncCachePreferEqual) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(deviceMutex);
  device().cacheConfig = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config) {
  if (const cudaError_t error = enter()) return leave(error);
  if (config == nullptr) return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(deviceMutex);
  *config = device().cacheConfig;
  return cudaSuccess;
}

// Banks are 4 bytes wide and cannot be changed, as on every GPU since compute capability 5.0.
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config) {
  if (const cudaError_t error = enter()) return leave(error);
  if (config == nullptr) return leave(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache() {
  return leave(enter());
}

cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return leave(cudaErrorInvalidValue);
  *version = runtimeVersion;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return cudaDriverGetVersion(version);
}

// The trace covers the whole program; ranges of interest are the reader's choice.
cudaError_t cudaProfilerStart() {
  return leave(enter());
}
cudaError_t cudaProfilerStop() {
  return leave(enter());
}
