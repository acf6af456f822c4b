// The C++ side of the runtime API: typed pointers, symbols by name, kernels by function.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"

// --- allocation into a typed pointer
template <class T>
CUI_TK_HD cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return ::cudaMalloc((void**)(pointer), bytes);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMallocManaged(T** pointer, size_t bytes,
                                          unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void**)(pointer), bytes, flags);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int flags = cudaHostAllocDefault) {
  return ::cudaHostAlloc((void**)(pointer), bytes, flags);
}
CUI_TK_HOST cudaError_t cudaMallocHost(void** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc(pointer, bytes, flags);
}
template <class T>
CUI_TK_HOST cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) {
  return ::cudaHostAlloc((void**)(pointer), bytes, flags);
}
template <class T>
CUI_TK_HOST cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void**)(device), host, flags);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void**)(pointer), pitch, width, height);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return ::cudaMallocAsync((void**)(pointer), bytes, stream);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(pointer), bytes, pool, stream);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool,
                                                cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void**)(pointer), bytes, pool, stream);
}

// --- CUDA 12's forms, where a device number names the location
CUI_TK_HOST struct cudaMemLocation cuiLocationOfDevice(int device) {
  struct cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}
CUI_TK_HOST cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                                      int device) {
  return ::cudaMemAdvise(pointer, bytes, advice, cuiLocationOfDevice(device));
}
CUI_TK_HOST cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device,
                                             cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync(pointer, bytes, cuiLocationOfDevice(device), 0u, stream);
}

// --- other releases' forms of graph functions
CUI_TK_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, cudaGraphNode_t*,
                                             char* log, size_t logBytes) {
  if (log != 0 && logBytes > 0) *log = 0;
  return ::cudaGraphInstantiate(instance, graph, 0ull);
}
CUI_TK_HOST cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                            cudaGraphNode_t* node, enum cudaGraphExecUpdateResult* result) {
  struct cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = ::cudaGraphExecUpdate(instance, graph, &info);
  *result = info.result;
  *node = info.errorNode;
  return error;
}
/// Ports say at which point of a node another may start: there is only its end.
CUI_TK_HOST cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                 const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                                 size_t count) {
  return ::cudaGraphAddDependencies(graph, from, to, count);
}

// --- symbols: __device__, __constant__ and __managed__ variables, named by reference
template <class T>
CUI_TK_HOST cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, size_t bytes, size_t offset = 0,
                                           enum cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cuiMemcpyToSymbol(&reinterpret_cast<const volatile char&>(symbol), sizeof(T), src, bytes, offset,
                             kind, 0);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* src, size_t bytes,
                                                size_t offset = 0,
                                                enum cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                cudaStream_t stream = 0) {
  return ::cuiMemcpyToSymbol(&reinterpret_cast<const volatile char&>(symbol), sizeof(T), src, bytes, offset,
                             kind, stream);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, size_t bytes, size_t offset = 0,
                                             enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cuiMemcpyFromSymbol(dst, &reinterpret_cast<const volatile char&>(symbol), sizeof(T), bytes, offset,
                               kind, 0);
}
template <class T>
CUI_TK_HOST cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t bytes, size_t offset = 0,
                                                  enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                  cudaStream_t stream = 0) {
  return ::cuiMemcpyFromSymbol(dst, &reinterpret_cast<const volatile char&>(symbol), sizeof(T), bytes, offset,
                               kind, stream);
}
template <class T>
CUI_TK_HOST cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  return ::cuiGetSymbolAddress(address, &reinterpret_cast<const volatile char&>(symbol), sizeof(T));
}
template <class A, class T>
CUI_TK_HOST cudaError_t cudaGetSymbolAddress(A** address, const T& symbol) {
  return ::cuiGetSymbolAddress((void**)(address), &reinterpret_cast<const volatile char&>(symbol), sizeof(T));
}
template <class T>
CUI_TK_HOST cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return ::cuiGetSymbolSize(bytes, &reinterpret_cast<const volatile char&>(symbol), sizeof(T));
}

// --- events
CUI_TK_HOST cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// --- kernels by function instead of const void*
template <class T>
CUI_TK_HOST const void* cuiKernelAddress(T* kernel) {
  return reinterpret_cast<const void*>(kernel);
}
template <class T>
CUI_TK_HOST cudaError_t cudaFuncSetCacheConfig(T* kernel, enum cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(cuiKernelAddress(kernel), config);
}
template <class T>
CUI_TK_HOST cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, cuiKernelAddress(kernel));
}
template <class T>
CUI_TK_HOST cudaError_t cudaFuncSetAttribute(T* kernel, enum cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(cuiKernelAddress(kernel), attribute, value);
}
template <class T>
CUI_TK_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int blockSize,
                                                                      size_t dynamicSharedBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, cuiKernelAddress(kernel), blockSize,
                                                         dynamicSharedBytes);
}
template <class T>
CUI_TK_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T* kernel,
                                                                               int blockSize,
                                                                               size_t dynamicSharedBytes,
                                                                               unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, cuiKernelAddress(kernel), blockSize,
                                                                  dynamicSharedBytes, flags);
}
template <class T>
CUI_TK_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSharedBytes, T* kernel,
                                                                  int blocks, int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSharedBytes, cuiKernelAddress(kernel), blocks,
                                                     blockSize);
}
/// What every device that has clusters can launch.
template <class F>
CUI_TK_HOST cudaError_t cudaOccupancyMaxPotentialClusterSize(int* clusterSize, F,
                                                             const cudaLaunchConfig_t* config) {
  if (clusterSize == nullptr || config == nullptr) return cudaErrorInvalidValue;
  *clusterSize = 8;
  return cudaSuccess;
}
template <class F>
CUI_TK_HOST cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, F kernel,
                                                       const cudaLaunchConfig_t* config) {
  if (clusters == nullptr || config == nullptr) return cudaErrorInvalidValue;
  int device = 0, processors = 0, blocks = 0, size = 1;
  for (unsigned int i = 0; i < config->numAttrs; ++i)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
      const auto& extent = config->attrs[i].val.clusterDim;
      size = static_cast<int>(extent.x * extent.y * extent.z);
    }
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const dim3 block = config->blockDim;
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, static_cast<int>(block.x * block.y * block.z), config->dynamicSmemBytes);
  if (error == cudaSuccess) *clusters = size > 0 ? blocks * processors / size : 0;
  return error;
}
/// Tries every block size that is a multiple of the warp, largest first, as CUDA documents.
template <class F, class SharedOfBlock>
CUI_TK_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* minGridSize, int* blockSize,
                                                                       F kernel, SharedOfBlock sharedOfBlock,
                                                                       int blockSizeLimit = 0) {
  if (minGridSize == nullptr || blockSize == nullptr) return cudaErrorInvalidValue;
  int device = 0, processors = 0, maxThreads = 0;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  struct cudaFuncAttributes attributes;
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, kernel);
  if (error != cudaSuccess) return error;
  maxThreads = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < maxThreads) maxThreads = blockSizeLimit;
  int bestThreads = 0, best = 0, bestBlocks = 0;
  for (int threads = (maxThreads + 31) / 32 * 32; threads > 0; threads -= 32) {
    int tried = threads < maxThreads ? threads : maxThreads, blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, tried,
                                                          static_cast<size_t>(sharedOfBlock(tried)));
    if (error != cudaSuccess) return error;
    if (blocks * tried > best) best = blocks * tried, bestThreads = tried, bestBlocks = blocks;
  }
  *minGridSize = bestBlocks * processors;
  *blockSize = bestThreads;
  return cudaSuccess;
}
template <class F>
CUI_TK_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, F kernel,
                                                           size_t dynamicSharedBytes = 0,
                                                           int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      minGridSize, blockSize, kernel, [dynamicSharedBytes](int) { return dynamicSharedBytes; },
      blockSizeLimit);
}
/// The flag is about caching, which changes nothing that is known here.
template <class F, class SharedOfBlock>
CUI_TK_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* minGridSize,
                                                                                int* blockSize, F kernel,
                                                                                SharedOfBlock sharedOfBlock,
                                                                                int blockSizeLimit = 0,
                                                                                unsigned int flags = 0) {
  if (flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(minGridSize, blockSize, kernel, sharedOfBlock,
                                                        blockSizeLimit);
}
template <class F>
CUI_TK_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize,
                                                                    F kernel, size_t dynamicSharedBytes = 0,
                                                                    int blockSizeLimit = 0,
                                                                    unsigned int flags = 0) {
  if (flags > cudaOccupancyDisableCachingOverride) return cudaErrorInvalidValue;
  return cudaOccupancyMaxPotentialBlockSize(minGridSize, blockSize, kernel, dynamicSharedBytes,
                                            blockSizeLimit);
}

// --- small structures
CUI_TK_HOST struct cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t xsize,
                                                      size_t ysize) {
  struct cudaPitchedPtr result = {pointer, pitch, xsize, ysize};
  return result;
}
CUI_TK_HOST struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent result = {width, height, depth};
  return result;
}
CUI_TK_HOST struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos result = {x, y, z};
  return result;
}
