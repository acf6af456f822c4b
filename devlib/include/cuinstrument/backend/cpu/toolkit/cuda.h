// The driver API as far as programs mix it with the runtime: devices, contexts (there is one), memory and its
// virtual addresses, other processes, streams, events. Every function stands on its runtime counterpart.
// Modules and kernels loaded at run time need a GPU's code and are refused by name.
#pragma once
#pragma GCC system_header
#define __cuda_cuda_h__

#include <string.h>

#include "cuda_runtime_api.h"
#include "unsupported_api.h"

#define CUDA_VERSION 13000
#define CUDAAPI

#include "driver_api_types.h"

typedef cudaIpcMemHandle_t CUipcMemHandle;
typedef cudaIpcEventHandle_t CUipcEventHandle;
#define CU_IPC_HANDLE_SIZE CUDA_IPC_HANDLE_SIZE
#define CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS cudaIpcMemLazyEnablePeerAccess

/// Driver and runtime number the attributes alike.
typedef enum cudaDeviceAttr CUdevice_attribute;
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK cudaDevAttrMaxThreadsPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X cudaDevAttrMaxBlockDimX
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y cudaDevAttrMaxBlockDimY
#define CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z cudaDevAttrMaxBlockDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X cudaDevAttrMaxGridDimX
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y cudaDevAttrMaxGridDimY
#define CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z cudaDevAttrMaxGridDimZ
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK cudaDevAttrMaxSharedMemoryPerBlock
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN cudaDevAttrMaxSharedMemoryPerBlockOptin
#define CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR cudaDevAttrMaxSharedMemoryPerMultiprocessor
#define CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY cudaDevAttrTotalConstantMemory
#define CU_DEVICE_ATTRIBUTE_WARP_SIZE cudaDevAttrWarpSize
#define CU_DEVICE_ATTRIBUTE_MAX_PITCH cudaDevAttrMaxPitch
#define CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK cudaDevAttrMaxRegistersPerBlock
#define CU_DEVICE_ATTRIBUTE_CLOCK_RATE cudaDevAttrClockRate
#define CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT cudaDevAttrTextureAlignment
#define CU_DEVICE_ATTRIBUTE_GPU_OVERLAP cudaDevAttrGpuOverlap
#define CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT cudaDevAttrMultiProcessorCount
#define CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT cudaDevAttrKernelExecTimeout
#define CU_DEVICE_ATTRIBUTE_INTEGRATED cudaDevAttrIntegrated
#define CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY cudaDevAttrCanMapHostMemory
#define CU_DEVICE_ATTRIBUTE_COMPUTE_MODE cudaDevAttrComputeMode
#define CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS cudaDevAttrConcurrentKernels
#define CU_DEVICE_ATTRIBUTE_ECC_ENABLED cudaDevAttrEccEnabled
#define CU_DEVICE_ATTRIBUTE_PCI_BUS_ID cudaDevAttrPciBusId
#define CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID cudaDevAttrPciDeviceId
#define CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID cudaDevAttrPciDomainId
#define CU_DEVICE_ATTRIBUTE_TCC_DRIVER cudaDevAttrTccDriver
#define CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE cudaDevAttrMemoryClockRate
#define CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH cudaDevAttrGlobalMemoryBusWidth
#define CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE cudaDevAttrL2CacheSize
#define CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR cudaDevAttrMaxThreadsPerMultiProcessor
#define CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT cudaDevAttrAsyncEngineCount
#define CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING cudaDevAttrUnifiedAddressing
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR cudaDevAttrComputeCapabilityMajor
#define CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR cudaDevAttrComputeCapabilityMinor
#define CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY cudaDevAttrManagedMemory
#define CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS cudaDevAttrConcurrentManagedAccess
#define CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH cudaDevAttrCooperativeLaunch
#define CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED cudaDevAttrMemoryPoolsSupported
#define CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR cudaDevAttrMaxRegistersPerMultiprocessor

#define CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED cudaDevAttrIpcEventSupport
// The driver's own.
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED ((CUdevice_attribute)102)
#define CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED ((CUdevice_attribute)102)
#define CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED ((CUdevice_attribute)103)
#define CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED ((CUdevice_attribute)107)

#define CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT cudaDevAttrSurfaceAlignment
#define CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT cudaDevAttrTexturePitchAlignment
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH cudaDevAttrMaxTexture1DWidth
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH cudaDevAttrMaxTexture2DWidth
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT cudaDevAttrMaxTexture2DHeight
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH cudaDevAttrMaxTexture3DWidth
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT cudaDevAttrMaxTexture3DHeight
#define CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH cudaDevAttrMaxTexture3DDepth
#define CU_COMPUTEMODE_DEFAULT cudaComputeModeDefault
#define CU_COMPUTEMODE_PROHIBITED cudaComputeModeProhibited
#define CU_COMPUTEMODE_EXCLUSIVE_PROCESS cudaComputeModeExclusiveProcess
typedef enum cudaComputeMode CUcomputemode;

typedef enum cudaLimit CUlimit;
#define CU_LIMIT_STACK_SIZE cudaLimitStackSize
#define CU_LIMIT_PRINTF_FIFO_SIZE cudaLimitPrintfFifoSize
#define CU_LIMIT_MALLOC_HEAP_SIZE cudaLimitMallocHeapSize

#define CU_STREAM_DEFAULT cudaStreamDefault
#define CU_STREAM_NON_BLOCKING cudaStreamNonBlocking
#define CU_STREAM_LEGACY cudaStreamLegacy
#define CU_STREAM_PER_THREAD cudaStreamPerThread
#define CU_EVENT_DEFAULT cudaEventDefault
#define CU_EVENT_BLOCKING_SYNC cudaEventBlockingSync
#define CU_EVENT_DISABLE_TIMING cudaEventDisableTiming
#define CU_MEMHOSTALLOC_PORTABLE cudaHostAllocPortable
#define CU_MEMHOSTALLOC_DEVICEMAP cudaHostAllocMapped
#define CU_MEMHOSTALLOC_WRITECOMBINED cudaHostAllocWriteCombined
#define CU_MEM_ATTACH_GLOBAL cudaMemAttachGlobal
#define CU_MEM_ATTACH_HOST cudaMemAttachHost
#define CU_CTX_SCHED_AUTO cudaDeviceScheduleAuto
#define CU_CTX_SCHED_SPIN cudaDeviceScheduleSpin
#define CU_CTX_SCHED_YIELD cudaDeviceScheduleYield
#define CU_CTX_SCHED_BLOCKING_SYNC cudaDeviceScheduleBlockingSync
#define CU_CTX_MAP_HOST cudaDeviceMapHost

#include "virtual_memory.h"

/// Driver and runtime number the errors that both have alike.
CUI_TK_HOST CUresult cuiDriverResult(cudaError_t error) {
  return static_cast<CUresult>(error);
}
CUI_TK_HOST void* cuiPointer(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}

#define CUI_TK_DRIVER(name, parameters, ...) \
  CUI_TK_HOST CUresult name parameters {     \
    return cuiDriverResult(__VA_ARGS__);     \
  }

CUI_TK_HOST CUresult cuGetErrorName(CUresult error, const char** text) {
  *text = ::cudaGetErrorName(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}
CUI_TK_HOST CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = ::cudaGetErrorString(static_cast<cudaError_t>(error));
  return CUDA_SUCCESS;
}

// --- devices and the context
CUI_TK_DRIVER(cuInit, (unsigned int flags), flags == 0 ? ::cudaFree(nullptr) : cudaErrorInvalidValue)
CUI_TK_DRIVER(cuDriverGetVersion, (int* version), ::cudaDriverGetVersion(version))
CUI_TK_DRIVER(cuDeviceGetCount, (int* count), ::cudaGetDeviceCount(count))
CUI_TK_DRIVER(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device),
              ::cudaDeviceGetAttribute(value, attribute, device))
CUI_TK_HOST CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  int count = 0;
  const cudaError_t error = ::cudaGetDeviceCount(&count);
  if (error != cudaSuccess) return cuiDriverResult(error);
  *device = ordinal;
  return ordinal >= 0 && ordinal < count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUI_TK_HOST CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = ::cudaGetDeviceProperties(&properties, device);
  if (error != cudaSuccess) return cuiDriverResult(error);
  if (length <= 0) return CUDA_ERROR_INVALID_VALUE;
  ::strncpy(name, properties.name, static_cast<size_t>(length));
  name[length - 1] = '\0';
  return CUDA_SUCCESS;
}
CUI_TK_HOST CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = ::cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *bytes = properties.totalGlobalMem;
  return cuiDriverResult(error);
}
CUI_TK_HOST CUcontext cuiOnlyContext() {
  return reinterpret_cast<CUcontext>(0x100ul);
}
CUI_TK_HOST CUresult cuiGetContext(CUcontext* context, CUdevice device) {
  *context = cuiOnlyContext();
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUI_TK_HOST CUresult cuiCheckContext(CUcontext context) {
  return context == cuiOnlyContext() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}
CUI_TK_HOST CUresult cuCtxCreate(CUcontext* context, unsigned int, CUdevice device) {
  return cuiGetContext(context, device);
}
/// CUDA 13's form, with a structure of creation parameters in front.
CUI_TK_HOST CUresult cuCtxCreate(CUcontext* context, void*, unsigned int, CUdevice device) {
  return cuiGetContext(context, device);
}
CUI_TK_HOST CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  return cuiGetContext(context, device);
}
CUI_TK_HOST CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUI_TK_HOST CUresult cuCtxGetCurrent(CUcontext* context) {
  return cuiGetContext(context, 0);
}
CUI_TK_HOST CUresult cuCtxSetCurrent(CUcontext context) {
  return cuiCheckContext(context);
}
CUI_TK_HOST CUresult cuCtxPushCurrent(CUcontext context) {
  return cuiCheckContext(context);
}
CUI_TK_HOST CUresult cuCtxPopCurrent(CUcontext* context) {
  return context == nullptr ? CUDA_SUCCESS : cuiGetContext(context, 0);
}
CUI_TK_HOST CUresult cuCtxDestroy(CUcontext context) {
  return cuiCheckContext(context);
}
CUI_TK_DRIVER(cuCtxGetDevice, (CUdevice * device), ::cudaGetDevice(device))
CUI_TK_DRIVER(cuCtxSynchronize, (), ::cudaDeviceSynchronize())
CUI_TK_DRIVER(cuCtxSetLimit, (CUlimit limit, size_t value), ::cudaDeviceSetLimit(limit, value))
CUI_TK_DRIVER(cuCtxGetLimit, (size_t* value, CUlimit limit), ::cudaDeviceGetLimit(value, limit))
CUI_TK_DRIVER(cuProfilerStart, (), ::cudaProfilerStart())
CUI_TK_DRIVER(cuProfilerStop, (), ::cudaProfilerStop())
CUI_TK_HOST CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  const cudaError_t error = ::cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
  if (error != cudaSuccess) return cuiDriverResult(error);
  return cuiDriverResult(::cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device));
}

// --- memory
CUI_TK_HOST CUresult cuMemAlloc(CUdeviceptr* address, size_t bytes) {
  void* pointer = nullptr;
  const cudaError_t error = bytes == 0 ? cudaErrorInvalidValue : ::cudaMalloc(&pointer, bytes);
  *address = reinterpret_cast<CUdeviceptr>(pointer);
  return cuiDriverResult(error);
}
CUI_TK_HOST CUresult cuMemAllocManaged(CUdeviceptr* address, size_t bytes, unsigned int flags) {
  void* pointer = nullptr;
  const cudaError_t error = ::cudaMallocManaged(&pointer, bytes, flags);
  *address = reinterpret_cast<CUdeviceptr>(pointer);
  return cuiDriverResult(error);
}
CUI_TK_HOST CUresult cuMemAllocPitch(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                                     unsigned int) {
  void* pointer = nullptr;
  const cudaError_t error = ::cudaMallocPitch(&pointer, pitch, width, height);
  *address = reinterpret_cast<CUdeviceptr>(pointer);
  return cuiDriverResult(error);
}
CUI_TK_DRIVER(cuMemFree, (CUdeviceptr address), ::cudaFree(cuiPointer(address)))
CUI_TK_DRIVER(cuMemAllocHost, (void** pointer, size_t bytes), ::cudaMallocHost(pointer, bytes))
CUI_TK_DRIVER(cuMemHostAlloc, (void** pointer, size_t bytes, unsigned int flags),
              ::cudaHostAlloc(pointer, bytes, flags))
CUI_TK_DRIVER(cuMemFreeHost, (void* pointer), ::cudaFreeHost(pointer))
CUI_TK_DRIVER(cuMemGetInfo, (size_t* available, size_t* total), ::cudaMemGetInfo(available, total))
CUI_TK_DRIVER(cuMemcpyHtoD, (CUdeviceptr to, const void* from, size_t bytes),
              ::cudaMemcpy(cuiPointer(to), from, bytes, cudaMemcpyHostToDevice))
CUI_TK_DRIVER(cuMemcpyDtoH, (void* to, CUdeviceptr from, size_t bytes),
              ::cudaMemcpy(to, cuiPointer(from), bytes, cudaMemcpyDeviceToHost))
CUI_TK_DRIVER(cuMemcpyDtoD, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
              ::cudaMemcpy(cuiPointer(to), cuiPointer(from), bytes, cudaMemcpyDeviceToDevice))
CUI_TK_DRIVER(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
              ::cudaMemcpy(cuiPointer(to), cuiPointer(from), bytes, cudaMemcpyDefault))
CUI_TK_DRIVER(cuMemcpyHtoDAsync, (CUdeviceptr to, const void* from, size_t bytes, CUstream stream),
              ::cudaMemcpyAsync(cuiPointer(to), from, bytes, cudaMemcpyHostToDevice, stream))
CUI_TK_DRIVER(cuMemcpyDtoHAsync, (void* to, CUdeviceptr from, size_t bytes, CUstream stream),
              ::cudaMemcpyAsync(to, cuiPointer(from), bytes, cudaMemcpyDeviceToHost, stream))
CUI_TK_DRIVER(cuMemcpyDtoDAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
              ::cudaMemcpyAsync(cuiPointer(to), cuiPointer(from), bytes, cudaMemcpyDeviceToDevice, stream))
CUI_TK_DRIVER(cuMemsetD8, (CUdeviceptr address, unsigned char value, size_t count),
              ::cudaMemset(cuiPointer(address), value, count))
CUI_TK_DRIVER(cuMemsetD8Async, (CUdeviceptr address, unsigned char value, size_t count, CUstream stream),
              ::cudaMemsetAsync(cuiPointer(address), value, count, stream))
CUI_TK_HOST CUresult cuMemsetD32(CUdeviceptr address, unsigned int value, size_t count) {
  // Checks the range by writing it once, then writes the words.
  const cudaError_t error = ::cudaMemset(cuiPointer(address), 0, count * sizeof value);
  if (error != cudaSuccess) return cuiDriverResult(error);
  for (size_t i = 0; i < count; ++i) static_cast<unsigned int*>(cuiPointer(address))[i] = value;
  return CUDA_SUCCESS;
}

CUI_TK_HOST CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream stream) {
  void* pointer = nullptr;
  const cudaError_t error = bytes == 0 ? cudaErrorInvalidValue : ::cudaMallocAsync(&pointer, bytes, stream);
  *address = reinterpret_cast<CUdeviceptr>(pointer);
  return cuiDriverResult(error);
}
CUI_TK_DRIVER(cuMemFreeAsync, (CUdeviceptr address, CUstream stream),
              ::cudaFreeAsync(cuiPointer(address), stream))
CUI_TK_DRIVER(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
              ::cudaMemcpyAsync(cuiPointer(to), cuiPointer(from), bytes, cudaMemcpyDefault, stream))
CUI_TK_DRIVER(cuMemHostRegister, (void* pointer, size_t bytes, unsigned int flags),
              ::cudaHostRegister(pointer, bytes, flags))
CUI_TK_DRIVER(cuMemHostUnregister, (void* pointer), ::cudaHostUnregister(pointer))
CUI_TK_HOST CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* pointer, unsigned int flags) {
  void* onDevice = nullptr;
  const cudaError_t error = ::cudaHostGetDevicePointer(&onDevice, pointer, flags);
  *address = reinterpret_cast<CUdeviceptr>(onDevice);
  return cuiDriverResult(error);
}

// --- other devices, other processes
CUI_TK_DRIVER(cuDeviceCanAccessPeer, (int* can, CUdevice device, CUdevice peer),
              ::cudaDeviceCanAccessPeer(can, device, peer))
CUI_TK_HOST CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  struct cudaDeviceProp properties;
  const cudaError_t error = ::cudaGetDeviceProperties(&properties, device);
  if (error == cudaSuccess) *uuid = properties.uuid;
  return cuiDriverResult(error);
}
CUI_TK_DRIVER(cuIpcGetMemHandle, (CUipcMemHandle * handle, CUdeviceptr address),
              ::cudaIpcGetMemHandle(handle, cuiPointer(address)))
CUI_TK_HOST CUresult cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned int flags) {
  void* pointer = nullptr;
  const cudaError_t error = ::cudaIpcOpenMemHandle(&pointer, handle, flags);
  *address = reinterpret_cast<CUdeviceptr>(pointer);
  return cuiDriverResult(error);
}
CUI_TK_DRIVER(cuIpcCloseMemHandle, (CUdeviceptr address), ::cudaIpcCloseMemHandle(cuiPointer(address)))
CUI_TK_DRIVER(cuIpcGetEventHandle, (CUipcEventHandle * handle, CUevent event),
              ::cudaIpcGetEventHandle(handle, event))
CUI_TK_DRIVER(cuIpcOpenEventHandle, (CUevent * event, CUipcEventHandle handle),
              ::cudaIpcOpenEventHandle(event, handle))

// --- streams and events
CUI_TK_DRIVER(cuStreamCreate, (CUstream * stream, unsigned int flags),
              ::cudaStreamCreateWithFlags(stream, flags))
CUI_TK_DRIVER(cuStreamDestroy, (CUstream stream), ::cudaStreamDestroy(stream))
CUI_TK_DRIVER(cuStreamSynchronize, (CUstream stream), ::cudaStreamSynchronize(stream))
CUI_TK_DRIVER(cuStreamQuery, (CUstream stream), ::cudaStreamQuery(stream))
CUI_TK_DRIVER(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
              ::cudaStreamWaitEvent(stream, event, flags))
CUI_TK_DRIVER(cuEventCreate, (CUevent * event, unsigned int flags), ::cudaEventCreateWithFlags(event, flags))
CUI_TK_DRIVER(cuEventRecord, (CUevent event, CUstream stream), ::cudaEventRecord(event, stream))
CUI_TK_DRIVER(cuEventSynchronize, (CUevent event), ::cudaEventSynchronize(event))
CUI_TK_DRIVER(cuEventQuery, (CUevent event), ::cudaEventQuery(event))
CUI_TK_DRIVER(cuEventElapsedTime, (float* ms, CUevent start, CUevent end),
              ::cudaEventElapsedTime(ms, start, end))
CUI_TK_DRIVER(cuEventDestroy, (CUevent event), ::cudaEventDestroy(event))
#undef CUI_TK_DRIVER

// --- what needs a GPU's code, and what is not there
#define CUI_TK_UNSUPPORTED(name)                     \
  template <class... Arguments>                      \
  CUI_TK_HOST CUresult name(Arguments&&...) {        \
    return cuiDriverResult(::cuiUnsupported(#name)); \
  }
CUI_TK_UNSUPPORTED(cuModuleLoad)
CUI_TK_UNSUPPORTED(cuModuleLoadData)
CUI_TK_UNSUPPORTED(cuModuleLoadDataEx)
CUI_TK_UNSUPPORTED(cuModuleLoadFatBinary)
CUI_TK_UNSUPPORTED(cuModuleUnload)
CUI_TK_UNSUPPORTED(cuModuleGetFunction)
CUI_TK_UNSUPPORTED(cuModuleGetGlobal)
CUI_TK_UNSUPPORTED(cuLibraryLoadData)
CUI_TK_UNSUPPORTED(cuLinkCreate)
CUI_TK_UNSUPPORTED(cuLaunchKernel)
CUI_TK_UNSUPPORTED(cuLaunchKernelEx)
CUI_TK_UNSUPPORTED(cuLaunchCooperativeKernel)
CUI_TK_UNSUPPORTED(cuFuncSetAttribute)
CUI_TK_UNSUPPORTED(cuFuncGetAttribute)
CUI_TK_UNSUPPORTED(cuFuncSetCacheConfig)
CUI_TK_UNSUPPORTED(cuOccupancyMaxActiveBlocksPerMultiprocessor)
CUI_TK_UNSUPPORTED(cuCtxEnablePeerAccess)
CUI_TK_UNSUPPORTED(cuMemcpy2D)
CUI_TK_UNSUPPORTED(cuMemcpy3D)
CUI_TK_UNSUPPORTED(cuArrayCreate)
CUI_TK_UNSUPPORTED(cuArray3DCreate)
CUI_TK_UNSUPPORTED(cuArrayDestroy)
CUI_TK_UNSUPPORTED(cuTexObjectCreate)
CUI_TK_UNSUPPORTED(cuTexObjectDestroy)
CUI_TK_UNSUPPORTED(cuGraphCreate)
CUI_TK_UNSUPPORTED(cuGraphLaunch)
CUI_TK_UNSUPPORTED(cuStreamBeginCapture)
CUI_TK_UNSUPPORTED(cuStreamEndCapture)
CUI_TK_UNSUPPORTED(cuGetProcAddress)
#undef CUI_TK_UNSUPPORTED
