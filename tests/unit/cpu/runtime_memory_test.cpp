// The allocation family: success, documented errors, and what happens to memory that is not allocated.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

std::uintptr_t number(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

TEST(Memory, AllocationsAreAlignedDistinctAndFilledWithAPattern) {
  unsigned char *a = nullptr, *b = nullptr;
  ASSERT_EQ(cudaMalloc(&a, 100), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&b, 1 << 20), cudaSuccess);
  EXPECT_EQ(number(a) % 256, 0u);
  EXPECT_EQ(number(b) % 256, 0u);
  EXPECT_GE(number(b), number(a) + 100);
  EXPECT_EQ(a[0], 0xCD);
  EXPECT_EQ(a[99], 0xCD);
  EXPECT_EQ(b[(1 << 20) - 1], 0xCD);
  EXPECT_EQ(cudaFree(a), cudaSuccess);
  EXPECT_EQ(cudaFree(b), cudaSuccess);
}

// Two mappings each would be more than a process may have, and malloc() has none left then either.
TEST(Memory, ManySmallAllocationsLiveAtOnce) {
  std::vector<char*> all(40'000);
  for (char*& p : all) ASSERT_EQ(cudaMalloc(&p, 128), cudaSuccess);
  for (std::size_t i = 0; i < all.size(); i += 2) ASSERT_EQ(cudaFree(all[i]), cudaSuccess);
  for (std::size_t i = 0; i < all.size(); i += 2) ASSERT_EQ(cudaMalloc(&all[i], 128), cudaSuccess);
  for (char* p : all) p[127] = 1;
  const std::vector<char> more(std::size_t{64} << 20);
  EXPECT_EQ(more.back(), 0);
  for (char* p : all) ASSERT_EQ(cudaFree(p), cudaSuccess);
}

// With what may be touched behind each as behind few, they would not fit into the addresses.
TEST(Memory, VeryManySmallAllocationsLiveAtOnce) {
  std::vector<char*> all(140'000);
  for (char*& p : all) ASSERT_EQ(cudaMalloc(&p, 128), cudaSuccess);
  all.back()[127] = 1;
  for (char* p : all) ASSERT_EQ(cudaFree(p), cudaSuccess);
  char* large = nullptr;
  EXPECT_EQ(cudaMalloc(&large, std::size_t{1} << 30), cudaSuccess);
  EXPECT_EQ(cudaFree(large), cudaSuccess);
}

TEST(Memory, VoidPointerPointerFormWorks) {
  float* p = nullptr;
  ASSERT_EQ(cudaMalloc((void**)&p, 16), cudaSuccess);
  EXPECT_NE(p, nullptr);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
}

TEST(Memory, ZeroBytesGiveNull) {
  void* p = &p;
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST(Memory, DocumentedErrors) {
  void* p = nullptr;
  EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&p, std::size_t{1} << 50), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&p, ~std::size_t{0}), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocManaged(&p, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMallocManaged(&p, 16, 8), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostAlloc(&p, 16, 0x100), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Memory, FreeingTwiceOrInsideOrForeignMemoryIsInvalid) {
  char* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4096), cudaSuccess);
  EXPECT_EQ(cudaFree(p + 256), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  int local = 0;
  EXPECT_EQ(cudaFree(&local), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(&local), cudaErrorInvalidValue);
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

// 1 MiB behind the pages of device and managed memory may be touched, but belongs to no allocation.
TEST(MemoryDeathTest, FreedMemoryAndTheByteBehindTheSlackAreInaccessible) {
  constexpr std::size_t slack = 1 << 20;
  volatile char *p = nullptr, *managed = nullptr, *pinned = nullptr;
  ASSERT_EQ(cudaMalloc((void**)&p, 4096), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged((void**)&managed, 100), cudaSuccess);
  ASSERT_EQ(cudaMallocHost((void**)&pinned, 100), cudaSuccess);
  p[4096] = 1;
  p[4096 + slack - 1] = 1;
  managed[4096 + slack - 1] = 1;
  EXPECT_EQ(cudaMemset((void*)p, 0, 4097), cudaErrorInvalidValue);
  EXPECT_DEATH(p[4096 + slack] = 1, "");
  EXPECT_DEATH(managed[4096 + slack] = 1, "");
  EXPECT_DEATH(pinned[4096] = 1, "");
  ASSERT_EQ(cudaFree((void*)p), cudaSuccess);
  EXPECT_DEATH(p[0] = 1, "");
  EXPECT_DEATH(p[4096] = 1, "");
  cudaFree((void*)managed);
  cudaFreeHost((void*)pinned);
}

TEST(MemoryDeathTest, SlackIsConfigurable) {
  setenv("CUINSTRUMENT_CPU_SLACK", "8K", 1);
  volatile char* p = nullptr;
  ASSERT_EQ(cudaMalloc((void**)&p, 4096), cudaSuccess);
  p[4096 + 8191] = 1;
  EXPECT_DEATH(p[4096 + 8192] = 1, "");
}

TEST(Memory, MemGetInfoFollowsAllocations) {
  std::size_t before = 0, after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, std::size_t{1} << 20);
  EXPECT_LE(before, total);
  cudaFree(p);
}

TEST(Memory, PitchIsAMultipleOf512AndHoldsTheRow) {
  void* p = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&p, &pitch, 513, 3), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  cudaPitchedPtr volume{};
  ASSERT_EQ(cudaMalloc3D(&volume, make_cudaExtent(100, 4, 5)), cudaSuccess);
  EXPECT_EQ(volume.pitch, 512u);
  EXPECT_EQ(volume.xsize, 100u);
  EXPECT_EQ(volume.ysize, 4u);
  static_cast<char*>(volume.ptr)[512 * 4 * 5 - 1] = 1;
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(volume.ptr), cudaSuccess);
}

TEST(Memory, PointerAttributesNameTheKind) {
  char *device = nullptr, *managed = nullptr, *pinned = nullptr;
  auto* pageable = static_cast<char*>(std::malloc(64));
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
  cudaPointerAttributes a{};
  ASSERT_EQ(cudaPointerGetAttributes(&a, device + 63), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
  EXPECT_EQ(a.device, 0);
  EXPECT_EQ(a.devicePointer, device + 63);
  EXPECT_EQ(a.hostPointer, nullptr);
  ASSERT_EQ(cudaPointerGetAttributes(&a, device + 64), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
  ASSERT_EQ(cudaPointerGetAttributes(&a, managed), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeManaged);
  EXPECT_EQ(a.hostPointer, managed);
  ASSERT_EQ(cudaPointerGetAttributes(&a, pinned), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeHost);
  EXPECT_EQ(a.devicePointer, pinned);
  ASSERT_EQ(cudaPointerGetAttributes(&a, pageable), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(a.device, cudaInvalidDeviceId);
  std::free(pageable);
}

TEST(Memory, HostRegistration) {
  auto* p = static_cast<char*>(std::malloc(4096));
  void* device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&device, p, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(p), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostRegister(p, 0, cudaHostRegisterDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostRegister(p, 4096, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(p + 100, 8, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostGetDevicePointer(&device, p, 0), cudaSuccess);
  EXPECT_EQ(device, p);
  EXPECT_EQ(cudaHostUnregister(p), cudaSuccess);
  std::free(p);
}

TEST(Memory, StreamOrderedAllocation) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int* p = nullptr;
  EXPECT_EQ(cudaMallocAsync(&p, 64, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, stream), cudaErrorInvalidValue);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&p, 64, stream), cudaErrorInvalidResourceHandle);
}

// A freed range is used again once the part of the address space has been used up: without that, 180 GiB
// of allocations would not fit into the 128 GiB of the device's part.
TEST(Memory, AddressesAreReusedWhenUsedUp) {
  setenv("CUINSTRUMENT_CPU_MEMORY", "32G", 1);
  for (int i = 0; i < 6; ++i) {
    void* p = nullptr;
    ASSERT_EQ(cudaMalloc(&p, std::size_t{30} << 30), cudaSuccess) << i;
    ASSERT_EQ(cudaFree(p), cudaSuccess);
  }
}

TEST(Memory, ConfiguredSizeIsTheLimit) {
  setenv("CUINSTRUMENT_CPU_MEMORY", "1M", 1);
  void *p = nullptr, *q = nullptr;
  EXPECT_EQ(cudaMalloc(&p, 1 << 20), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&q, 1), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaMalloc(&q, 1), cudaSuccess);
}

TEST(Memory, ResetFreesDeviceMemory) {
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
}

TEST(Memory, AdviceAndPrefetchWantManagedMemory) {
  int *managed = nullptr, *device = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, 0), cudaSuccess);  // CUDA 12's form
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 65, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(device, 64, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync(managed, 64, 3), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
}

}  // namespace
