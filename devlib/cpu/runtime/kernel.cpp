// What the runtime knows about kernels: attributes that programs set, and occupancy by the documented
// limits of compute capability 9.0.
#include <algorithm>
#include <map>
#include <mutex>

#include "device_limits.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

/// A source-level backend sees no registers; occupancy assumes what lets a multiprocessor fill up.
constexpr int assumedRegisters = 32;

struct Kernel {
  int maxDynamicShared = static_cast<int>(limits::sharedPerBlock);
  int carveout = cudaSharedmemCarveoutDefault;
};

std::mutex kernelsMutex;
std::map<const void*, Kernel>& kernels() {
  static auto* known = new std::map<const void*, Kernel>;
  return *known;
}
std::size_t granted = limits::sharedPerBlock;

Kernel attributesOf(const void* kernel) {
  std::lock_guard<std::mutex> lock(kernelsMutex);
  const auto found = kernels().find(kernel);
  return found == kernels().end() ? Kernel{} : found->second;
}

}  // namespace

namespace {
/// Blocks that one multiprocessor holds.
int blocksPerMultiprocessor(int blockThreads, std::size_t dynamicSharedBytes) {
  const int warps = (blockThreads + limits::warpSize - 1) / limits::warpSize;
  const int byWarps = limits::threadsPerMultiprocessor / limits::warpSize / warps;
  const int byRegisters = limits::registersPerMultiprocessor / (assumedRegisters * limits::warpSize) / warps;
  const std::size_t shared =
      (dynamicSharedBytes + limits::reservedSharedPerBlock + limits::sharedGranularity - 1) /
      limits::sharedGranularity * limits::sharedGranularity;
  const int byShared = static_cast<int>(limits::sharedPerMultiprocessor / shared);
  return std::min({byWarps, byRegisters, byShared, limits::blocksPerMultiprocessor});
}
}  // namespace

std::uint64_t residentBlocks(unsigned blockThreads, std::size_t dynamicSharedBytes) {
  int multiprocessors = 0;
  deviceAttribute(cudaDevAttrMultiProcessorCount, multiprocessors);
  return static_cast<std::uint64_t>(multiprocessors) *
         static_cast<std::uint64_t>(
             blocksPerMultiprocessor(static_cast<int>(blockThreads), dynamicSharedBytes));
}

std::size_t grantedDynamicShared() {
  std::lock_guard<std::mutex> lock(kernelsMutex);
  return granted;
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* kernel) {
  if (const cudaError_t error = enter()) return leave(error);
  if (attributes == nullptr) return leave(cudaErrorInvalidValue);
  if (kernel == nullptr) return leave(cudaErrorInvalidDeviceFunction);
  const Kernel known = attributesOf(kernel);
  *attributes = {};
  attributes->maxThreadsPerBlock = limits::threadsPerBlock;
  attributes->numRegs = assumedRegisters;
  attributes->ptxVersion = attributes->binaryVersion = limits::computeMajor * 10 + limits::computeMinor;
  attributes->maxDynamicSharedSizeBytes = known.maxDynamicShared;
  attributes->preferredShmemCarveout = known.carveout;
  return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* kernel, enum cudaFuncAttribute attribute, int value) {
  if (const cudaError_t error = enter()) return leave(error);
  if (kernel == nullptr) return leave(cudaErrorInvalidDeviceFunction);
  std::lock_guard<std::mutex> lock(kernelsMutex);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || static_cast<std::size_t>(value) > limits::sharedPerBlockOptin)
        return leave(cudaErrorInvalidValue);
      kernels()[kernel].maxDynamicShared = value;
      granted = std::max(granted, static_cast<std::size_t>(value));
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return leave(cudaErrorInvalidValue);
      kernels()[kernel].carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return leave(value >= 0 ? cudaSuccess : cudaErrorInvalidValue);
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      return notSupported("cudaFuncSetAttribute of a cluster's extents");
    default:
      return leave(cudaErrorInvalidValue);
  }
}

cudaError_t cudaFuncSetCacheConfig(const void* kernel, enum cudaFuncCache config) {
  if (const cudaError_t error = enter()) return leave(error);
  if (kernel == nullptr) return leave(cudaErrorInvalidDeviceFunction);
  return leave(config <= cudaFuncCachePreferEqual ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, enum cudaSharedMemConfig config) {
  if (const cudaError_t error = enter()) return leave(error);
  if (kernel == nullptr) return leave(cudaErrorInvalidDeviceFunction);
  return leave(config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int blockSize,
                                                          size_t dynamicSharedBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, blockSize, dynamicSharedBytes,
                                                                cudaOccupancyDefault);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel,
                                                                   int blockSize, size_t dynamicSharedBytes,
                                                                   unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (blocks == nullptr || blockSize <= 0 || (flags & ~unsigned{cudaOccupancyDisableCachingOverride}) != 0)
    return leave(cudaErrorInvalidValue);
  if (kernel == nullptr) return leave(cudaErrorInvalidDeviceFunction);
  *blocks = 0;
  if (blockSize > limits::threadsPerBlock ||
      dynamicSharedBytes > static_cast<std::size_t>(attributesOf(kernel).maxDynamicShared))
    return cudaSuccess;
  *blocks = blocksPerMultiprocessor(blockSize, dynamicSharedBytes);
  return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSharedBytes, const void* kernel,
                                                      int blocks, int blockSize) {
  if (const cudaError_t error = enter()) return leave(error);
  if (dynamicSharedBytes == nullptr || blocks <= 0 || blockSize <= 0 || blockSize > limits::threadsPerBlock ||
      blocks > limits::blocksPerMultiprocessor)
    return leave(cudaErrorInvalidValue);
  if (kernel == nullptr) return leave(cudaErrorInvalidDeviceFunction);
  const std::size_t each = limits::sharedPerMultiprocessor / static_cast<std::size_t>(blocks) /
                           limits::sharedGranularity * limits::sharedGranularity;
  *dynamicSharedBytes = std::min(each - limits::reservedSharedPerBlock, limits::sharedPerBlockOptin);
  return cudaSuccess;
}
