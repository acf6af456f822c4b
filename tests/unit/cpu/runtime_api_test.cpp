// Errors, streams, events, devices, kernels' attributes.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstring>

#include "exec/error_state.h"

namespace {

__global__ void setAll(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
template <class T>
__global__ void generic(T* out) {
  out[0] = T(1);
}

TEST(Errors, LastErrorIsKeptUntilRead) {
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaSetDevice(5), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);  // success does not clear
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(Errors, StickyErrorIsRepeatedByEveryCall) {
  cui::cpu::setStickyError(cudaErrorIllegalAddress);
  cui::cpu::setStickyError(cudaErrorLaunchFailure);  // the first one stays
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 16), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaMemcpy(p, p, 0, cudaMemcpyDefault), cudaErrorIllegalAddress);
}

// As CUDA 13's library prints them.
TEST(Errors, NamesAndTexts) {
  EXPECT_STREQ(cudaGetErrorName(cudaSuccess), "cudaSuccess");
  EXPECT_STREQ(cudaGetErrorString(cudaSuccess), "no error");
  EXPECT_STREQ(cudaGetErrorName(cudaErrorInvalidConfiguration), "cudaErrorInvalidConfiguration");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidConfiguration), "invalid configuration argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorIllegalAddress), "an illegal memory access was encountered");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorLaunchFailure), "unspecified launch failure");
  EXPECT_STREQ(cudaGetErrorString(cudaErrorNotSupported), "operation not supported");
  EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(12345)), "unrecognized error code");
}

TEST(Errors, UnsupportedFunctionsSaySoOnce) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(cudaDestroyExternalMemory(nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaDestroyExternalMemory(nullptr), cudaErrorNotSupported);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "cuinstrument: cudaDestroyExternalMemory is not supported on the CPU backend\n");
  EXPECT_EQ(cudaGetLastError(), cudaErrorNotSupported);
}

TEST(Streams, LifeAndProperties) {
  cudaStream_t stream{};
  ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -2), cudaSuccess);
  unsigned flags = 0;
  int priority = 0, least = 1, greatest = 1;
  EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
  EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
  EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
  EXPECT_EQ(priority, -2);
  EXPECT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
  EXPECT_EQ(least, 0);
  EXPECT_LT(greatest, least);
  EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 0x40), cudaErrorInvalidValue);
}

TEST(Streams, HostFunctionsRunInOrder) {
  int order = 0;
  EXPECT_EQ(cudaLaunchHostFunc(
                nullptr, [](void* p) { *static_cast<int*>(p) = *static_cast<int*>(p) * 10 + 1; }, &order),
            cudaSuccess);
  EXPECT_EQ(cudaStreamAddCallback(
                nullptr,
                [](cudaStream_t, cudaError_t status, void* p) {
                  *static_cast<int*>(p) = *static_cast<int*>(p) * 10 + (status == cudaSuccess ? 2 : 9);
                },
                &order, 0),
            cudaSuccess);
  EXPECT_EQ(order, 12);
  EXPECT_EQ(cudaStreamAddCallback(nullptr, nullptr, nullptr, 0), cudaErrorInvalidValue);
}

TEST(Events, TimesGoForward) {
  cudaEvent_t start{}, end{};
  ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&end), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
  const timespec pause{0, 5000000};
  nanosleep(&pause, nullptr);
  ASSERT_EQ(cudaEventRecord(end), cudaSuccess);
  ASSERT_EQ(cudaEventSynchronize(end), cudaSuccess);
  EXPECT_EQ(cudaEventQuery(end), cudaSuccess);
  float forward = 0, backward = 0;
  EXPECT_EQ(cudaEventElapsedTime(&forward, start, end), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&backward, end, start), cudaSuccess);
  EXPECT_GE(forward, 5.0f);
  EXPECT_EQ(forward, -backward);
}

TEST(Events, Errors) {
  cudaEvent_t fresh{}, untimed{}, recorded{};
  float ms = 0;
  ASSERT_EQ(cudaEventCreate(&fresh), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&recorded, cudaEventBlockingSync), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(recorded), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(untimed), cudaSuccess);
  EXPECT_EQ(cudaEventElapsedTime(&ms, recorded, fresh), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(&ms, recorded, untimed), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventElapsedTime(nullptr, recorded, recorded), cudaErrorInvalidValue);
  EXPECT_EQ(cudaEventDestroy(fresh), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(fresh), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, fresh, 0), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamWaitEvent(nullptr, recorded), cudaSuccess);
  EXPECT_EQ(cudaEventCreateWithFlags(&fresh, 0x80), cudaErrorInvalidValue);
}

TEST(Device, DescribesComputeCapability90) {
  int count = 0, device = -1, value = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "cuinstrument CPU backend");
  EXPECT_EQ(p.major * 10 + p.minor, 90);
  EXPECT_EQ(p.multiProcessorCount, 132);
  EXPECT_EQ(p.maxThreadsPerBlock, 1024);
  EXPECT_EQ(p.sharedMemPerBlock, 49152u);
  EXPECT_EQ(p.sharedMemPerBlockOptin, 232448u);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), cudaSuccess);
  EXPECT_EQ(value, 232448);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaRuntimeGetVersion(&value), cudaSuccess);
  EXPECT_EQ(value, 13000);
}

TEST(Device, IsConfigurable) {
  setenv("CUINSTRUMENT_CPU_DEVICE_NAME", "test device", 1);
  setenv("CUINSTRUMENT_CPU_MULTIPROCESSORS", "7", 1);
  cudaDeviceProp p{};
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_STREQ(p.name, "test device");
  EXPECT_EQ(p.multiProcessorCount, 7);
}

TEST(Device, PciBusId) {
  char id[16] = {};
  int device = -1;
  ASSERT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "00:00"), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000:3b:00.0"), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "0000"), cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, "gpu"), cudaErrorInvalidValue);
}

TEST(Device, LimitsAndFlags) {
  std::size_t value = 0;
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)), cudaErrorUnsupportedLimit);
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield), cudaErrorInvalidValue);
  EXPECT_EQ(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), cudaSuccess);
  int peer = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 0, 1), cudaErrorInvalidDevice);
}

TEST(Kernels, DynamicSharedMemoryIsOptIn) {
  cudaFuncAttributes a{};
  ASSERT_EQ(cudaFuncGetAttributes(&a, setAll), cudaSuccess);
  EXPECT_EQ(a.maxDynamicSharedSizeBytes, 49152);
  EXPECT_EQ(cudaFuncSetAttribute(setAll, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(setAll, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000), cudaSuccess);
  ASSERT_EQ(cudaFuncGetAttributes(&a, setAll), cudaSuccess);
  EXPECT_EQ(a.maxDynamicSharedSizeBytes, 100000);
  EXPECT_EQ(cudaFuncSetAttribute((const void*)nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 0),
            cudaErrorInvalidDeviceFunction);
}

// Compute capability 9.0: 64 warps and 32 blocks a multiprocessor, 228 KiB of shared memory of which each
// block takes 1 KiB more than it asks for.
TEST(Kernels, Occupancy) {
  int blocks = 0;
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, setAll, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);  // 64 / 8 warps
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, setAll, 32, 0), cudaSuccess);
  EXPECT_EQ(blocks, 32);
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, setAll, 128, 40000), cudaSuccess);
  EXPECT_EQ(blocks, 5);  // 233472 / 41088
  ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, setAll, 128, 60000), cudaSuccess);
  EXPECT_EQ(blocks, 0);  // not granted
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, setAll, 0, 0), cudaErrorInvalidValue);
  int grid = 0, block = 0;
  ASSERT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, generic<float>, 0, 0), cudaSuccess);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 264);  // 2 blocks on each of 132
}

TEST(Kernels, LaunchByFunctionPointer) {
  int* out = nullptr;
  ASSERT_EQ(cudaMalloc(&out, 64 * sizeof(int)), cudaSuccess);
  int value = 42;
  void* arguments[] = {&out, &value};
  EXPECT_EQ(cudaLaunchKernel(setAll, dim3(2), dim3(32), arguments), cudaSuccess);
  EXPECT_EQ(out[0], 42);
  EXPECT_EQ(out[63], 42);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  EXPECT_EQ(cudaLaunchKernelEx(&config, setAll, out, 7), cudaSuccess);
  EXPECT_EQ(out[31], 7);
  EXPECT_EQ(out[32], 42);
  EXPECT_EQ(cudaLaunchKernel(setAll, dim3(1), dim3(2048), arguments), cudaErrorInvalidConfiguration);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
  // Once described by its type, its address alone will do.
  EXPECT_EQ(cudaLaunchKernel(reinterpret_cast<const void*>(setAll), dim3(1), dim3(32), arguments),
            cudaSuccess);
  EXPECT_EQ(out[31], 42);
}

/// Which writes to its argument.
void raiseBy(int& to, const int& by, int times) {
  if (threadIdx.x == 0) to += by * times;
}

// A call is handed pointers to what the kernel takes: of a reference, to the object's address.
TEST(Kernels, LaunchByFunctionPointerWithReferences) {
  int* to = nullptr;
  ASSERT_EQ(cudaMalloc(&to, 2 * sizeof(int)), cudaSuccess);
  int* by = to + 1;
  to[0] = 1;
  to[1] = 10;
  int times = 2;
  void* arguments[] = {&to, &by, &times};
  EXPECT_EQ(cudaLaunchKernel(raiseBy, dim3(1), dim3(32), arguments), cudaSuccess);
  EXPECT_EQ(to[0], 21);
  EXPECT_EQ(cudaLaunchCooperativeKernel(raiseBy, dim3(1), dim3(32), arguments), cudaSuccess);
  EXPECT_EQ(to[0], 41);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  EXPECT_EQ(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(raiseBy), arguments), cudaSuccess);
  EXPECT_EQ(to[0], 61);
  EXPECT_EQ(cudaLaunchKernelEx(&config, raiseBy, to[0], to[1], 4), cudaSuccess);
  EXPECT_EQ(to[0], 101);
  EXPECT_EQ(cudaFree(to), cudaSuccess);
}

}  // namespace
