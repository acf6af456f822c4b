// Virtual memory management, and memory that processes share.
#include <cuda.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>

namespace {

CUmemAllocationProp onDevice() {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  return properties;
}

std::size_t granularity() {
  std::size_t bytes = 0;
  const CUmemAllocationProp properties = onDevice();
  EXPECT_EQ(cuMemGetAllocationGranularity(&bytes, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM),
            CUDA_SUCCESS);
  return bytes;
}

constexpr CUmemAccessDesc readWrite{{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

int* pointer(CUdeviceptr address) {
  return reinterpret_cast<int*>(address);
}

TEST(VirtualMemory, NeighbouringMappingsAreOnePieceAndMemoryCanBeInTwoPlaces) {
  const std::size_t piece = granularity();
  CUdeviceptr range = 0, second = 0;
  ASSERT_EQ(cuMemAddressReserve(&range, 4 * piece, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAddressReserve(&second, piece, 4 * piece, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(range % piece, 0u);
  EXPECT_EQ(second % (4 * piece), 0u);
  const CUmemAllocationProp properties = onDevice();
  CUmemGenericAllocationHandle handle[2];
  for (unsigned i = 0; i < 2; ++i) {
    ASSERT_EQ(cuMemCreate(&handle[i], piece, &properties, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuMemMap(range + i * piece, piece, 0, handle[i], 0), CUDA_SUCCESS);
  }
  ASSERT_EQ(cuMemSetAccess(range, 2 * piece, &readWrite, 1), CUDA_SUCCESS);
  EXPECT_EQ(cudaMemset(pointer(range), 7, 2 * piece), cudaSuccess);
  EXPECT_EQ(cudaMemset(pointer(range), 7, 2 * piece + 1), cudaErrorInvalidValue);
  cudaGetLastError();

  ASSERT_EQ(cuMemMap(second, piece, 0, handle[1], 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemSetAccess(second, piece, &readWrite, 1), CUDA_SUCCESS);
  *pointer(second) = 42;
  EXPECT_EQ(*pointer(range + piece), 42);

  CUmemGenericAllocationHandle again = 0;
  EXPECT_EQ(cuMemRetainAllocationHandle(&again, pointer(second)), CUDA_SUCCESS);
  EXPECT_EQ(again, handle[1]);
  EXPECT_EQ(cuMemRelease(again), CUDA_SUCCESS);
  unsigned long long flags = 0;
  const CUmemLocation location = properties.location;
  EXPECT_EQ(cuMemGetAccess(&flags, &location, second), CUDA_SUCCESS);
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer(second)), cudaSuccess);
  EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
  EXPECT_EQ(cudaFree(pointer(second)), cudaErrorInvalidValue);
  cudaGetLastError();

  EXPECT_EQ(cuMemAddressFree(range, 4 * piece), CUDA_ERROR_INVALID_VALUE);  // still mapped
  EXPECT_EQ(cuMemUnmap(range, 2 * piece), CUDA_SUCCESS);
  EXPECT_EQ(cuMemUnmap(second, piece), CUDA_SUCCESS);
  for (const auto one : handle) EXPECT_EQ(cuMemRelease(one), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle[0]), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAddressFree(range, 4 * piece), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(second, piece), CUDA_SUCCESS);
  cudaGetLastError();
}

TEST(VirtualMemory, MemoryLivesAsLongAsItIsMapped) {
  const std::size_t piece = granularity();
  const CUmemAllocationProp properties = onDevice();
  std::size_t before = 0, during = 0, after = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_EQ(cuMemAddressReserve(&range, piece, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemCreate(&handle, piece, &properties, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(range, piece, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemSetAccess(range, piece, &readWrite, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  *pointer(range) = 1;
  cudaMemGetInfo(&during, &total);
  EXPECT_EQ(before - during, piece);
  EXPECT_EQ(cuMemUnmap(range, piece), CUDA_SUCCESS);
  cudaMemGetInfo(&after, &total);
  EXPECT_EQ(after, before);
  EXPECT_EQ(cuMemAddressFree(range, piece), CUDA_SUCCESS);
}

TEST(VirtualMemory, DocumentedErrors) {
  const std::size_t piece = granularity();
  CUmemAllocationProp properties = onDevice();
  CUmemGenericAllocationHandle handle = 0;
  EXPECT_EQ(cuMemCreate(&handle, piece + 1, &properties, 0), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr range = 0;
  EXPECT_EQ(cuMemAddressReserve(&range, piece / 2, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemAddressReserve(&range, piece, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemCreate(&handle, 2 * piece, &properties, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuMemMap(range, 2 * piece, 0, handle, 0), CUDA_ERROR_INVALID_VALUE);     // beyond the range
  EXPECT_EQ(cuMemSetAccess(range, piece, &readWrite, 1), CUDA_ERROR_INVALID_VALUE);  // nothing is there
  int file = -1;
  EXPECT_EQ(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_ERROR_INVALID_VALUE);  // not asked for when it was made
  EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  properties.location.id = 7;
  EXPECT_EQ(cuMemCreate(&handle, piece, &properties, 0), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuMemAddressFree(range, piece), CUDA_SUCCESS);
  cudaGetLastError();
}

TEST(VirtualMemory, AFileDescriptorLeadsToTheSameMemory) {
  const std::size_t piece = granularity();
  CUmemAllocationProp properties = onDevice();
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0, imported = 0;
  ASSERT_EQ(cuMemAddressReserve(&range, 2 * piece, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemCreate(&handle, piece, &properties, 0), CUDA_SUCCESS);
  int file = -1;
  ASSERT_EQ(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
            CUDA_SUCCESS);
  ASSERT_EQ(cuMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(std::intptr_t{file}),
                                           CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR),
            CUDA_SUCCESS);
  close(file);
  ASSERT_EQ(cuMemMap(range, piece, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(range + piece, piece, 0, imported, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemSetAccess(range, 2 * piece, &readWrite, 1), CUDA_SUCCESS);
  *pointer(range) = 9;
  EXPECT_EQ(*pointer(range + piece), 9);
  EXPECT_EQ(cuMemUnmap(range, 2 * piece), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRelease(imported), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAddressFree(range, 2 * piece), CUDA_SUCCESS);
}

/// Runs `body` in a process of its own; whether it gave true.
template <class Body>
bool inChild(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body() ? 0 : 1);
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Interprocess, AnotherProcessWritesToAnAllocation) {
  int* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 3 * sizeof(int)), cudaSuccess);
  for (int i = 0; i < 3; ++i) memory[i] = i;
  cudaIpcMemHandle_t handle{};
  ASSERT_EQ(cudaIpcGetMemHandle(&handle, memory + 1), cudaSuccess);
  EXPECT_TRUE(inChild([&] {
    void *first = nullptr, *second = nullptr;
    if (cudaIpcOpenMemHandle(&first, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess ||
        cudaIpcOpenMemHandle(&second, handle, cudaIpcMemLazyEnablePeerAccess) != cudaSuccess)
      return false;
    int* theirs = static_cast<int*>(first);
    const bool right = first == second && theirs[2] == 2 && cudaFree(first) == cudaErrorInvalidValue;
    theirs[2] = 5;
    return right && cudaIpcCloseMemHandle(first) == cudaSuccess &&
           cudaIpcCloseMemHandle(first) == cudaSuccess &&
           cudaIpcCloseMemHandle(first) == cudaErrorInvalidValue;
  }));
  EXPECT_EQ(memory[0], 0);
  EXPECT_EQ(memory[2], 5);
  void* own = nullptr;
  EXPECT_EQ(cudaIpcOpenMemHandle(&own, handle, 0), cudaErrorDeviceUninitialized);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaIpcGetMemHandle(&handle, memory), cudaErrorInvalidValue);
  cudaIpcMemHandle_t nothing{};
  EXPECT_EQ(cudaIpcOpenMemHandle(&own, nothing, 0), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Interprocess, AllocationsOfAPoolKeepTheirOffset) {
  cudaMemPoolProps properties{};
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaMemPoolCreate(&pool, &properties), cudaSuccess);
  int* memory = nullptr;
  ASSERT_EQ(cudaMallocFromPoolAsync(&memory, 64, pool, nullptr), cudaSuccess);
  int file = -1;
  ASSERT_EQ(cudaMemPoolExportToShareableHandle(&file, pool, cudaMemHandleTypePosixFileDescriptor, 0),
            cudaSuccess);
  cudaMemPoolPtrExportData data{};
  ASSERT_EQ(cudaMemPoolExportPointer(&data, memory + 4), cudaSuccess);
  EXPECT_TRUE(inChild([&] {
    cudaMemPool_t theirs = nullptr;
    void* found = nullptr;
    if (cudaMemPoolImportFromShareableHandle(&theirs, reinterpret_cast<void*>(std::intptr_t{file}),
                                             cudaMemHandleTypePosixFileDescriptor, 0) != cudaSuccess ||
        cudaMemPoolImportPointer(&found, theirs, &data) != cudaSuccess)
      return false;
    *static_cast<int*>(found) = 8;
    return true;
  }));
  EXPECT_EQ(memory[4], 8);
  close(file);
  EXPECT_EQ(cudaFreeAsync(memory, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaSuccess);
}

TEST(Interprocess, EventsOfAnotherProcessHaveHappened) {
  cudaEvent_t event = nullptr;
  EXPECT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess), cudaErrorInvalidValue);
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming), cudaSuccess);
  cudaIpcEventHandle_t handle{};
  ASSERT_EQ(cudaIpcGetEventHandle(&handle, event), cudaSuccess);
  EXPECT_TRUE(inChild([&] {
    cudaEvent_t theirs = nullptr;
    return cudaIpcOpenEventHandle(&theirs, handle) == cudaSuccess &&
           cudaStreamWaitEvent(nullptr, theirs, 0) == cudaSuccess && cudaEventDestroy(theirs) == cudaSuccess;
  }));
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  cudaEvent_t plain = nullptr;
  ASSERT_EQ(cudaEventCreate(&plain), cudaSuccess);
  EXPECT_EQ(cudaIpcGetEventHandle(&handle, plain), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(plain), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
