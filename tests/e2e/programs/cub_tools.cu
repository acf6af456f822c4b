// CUB beside its algorithms: shuffles, loads and stores, the allocator, what it says of a device.
#include <cub/block/block_shuffle.cuh>
#include <cub/cub.cuh>
#include <cub/thread/thread_store.cuh>
#include <cub/util_allocator.cuh>
#include <cub/util_math.cuh>

#include "check.h"

constexpr int threads = 64, items = 3;

struct Wide {
  double value;
  short tag;
};

__global__ void shuffleBlock(int* out) {
  using Shuffle = cub::BlockShuffle<int, threads>;
  __shared__ Shuffle::TempStorage storage;
  const int me = threadIdx.x;
  int own[items], result[items] = {-1, -1, -1}, end = 0;
  for (int i = 0; i < items; ++i) own[i] = me * items + i;
  Shuffle(storage).Offset(me, out[me], -2);
  __syncthreads();
  Shuffle(storage).Rotate(me, out[threads + me], 5);
  __syncthreads();
  Shuffle(storage).Up(own, result, end);
  for (int i = 0; i < items; ++i) out[2 * threads + me * items + i] = result[i];
  if (me == 0) out[8 * threads] = end;
  __syncthreads();
  for (int i = 0; i < items; ++i) result[i] = -1;
  Shuffle(storage).Down(own, result, end);
  for (int i = 0; i < items; ++i) out[5 * threads + me * items + i] = result[i];
  if (me == 0) out[8 * threads + 1] = end;
}

__global__ void shuffleWarps(Wide* up, Wide* down, Wide* one) {
  const unsigned lane = threadIdx.x % 32;
  const Wide own{lane + 0.5, static_cast<short>(threadIdx.x / 32)};
  up[threadIdx.x] = cub::ShuffleUp<32>(own, 3, 0, 0xffffffffu);
  down[threadIdx.x] = cub::ShuffleDown<8>(own, 2, 7, 0xffffffffu);
  one[threadIdx.x] = cub::ShuffleIndex<32>(own, 9, 0xffffffffu);
}

__global__ void copy(const float* in, float* out) {
  const float value = cub::ThreadLoad<cub::LOAD_CG>(in + threadIdx.x);
  cub::ThreadStore<cub::STORE_WB>(out + threadIdx.x, value < FLT_MAX ? value : 0.0f);
}

void checkBlock() {
  int* out;
  CUDA_CHECK(cudaMallocManaged(&out, (8 * threads + 2) * sizeof(int)));
  for (int i = 0; i < 8 * threads; ++i) out[i] = -7;
  shuffleBlock<<<1, threads>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  const int n = threads * items;
  for (int i = 0; i < threads; ++i) {
    EXPECT(out[i] == (i < 2 ? -7 : i - 2));
    EXPECT(out[threads + i] == (i + 5) % threads);
  }
  for (int i = 0; i < n; ++i) {
    EXPECT(out[2 * threads + i] == i - 1);
    EXPECT(out[5 * threads + i] == (i + 1 < n ? i + 1 : -1));
  }
  EXPECT(out[8 * threads] == n - 1);
  EXPECT(out[8 * threads + 1] == 0);
  CUDA_CHECK(cudaFree(out));
}

void checkWarps() {
  Wide* all;
  CUDA_CHECK(cudaMallocManaged(&all, 3 * threads * sizeof(Wide)));
  shuffleWarps<<<1, threads>>>(all, all + threads, all + 2 * threads);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    const int lane = i % 32;
    EXPECT(all[i].value == (lane < 3 ? lane : lane - 3) + 0.5);
    EXPECT(all[threads + i].value == (lane % 8 < 6 ? lane + 2 : lane) + 0.5);
    EXPECT(all[2 * threads + i].value == 9.5);
    EXPECT(all[2 * threads + i].tag == i / 32);
  }
  CUDA_CHECK(cudaFree(all));
}

void checkMemory() {
  cub::CachingDeviceAllocator allocator(true);
  float *in = nullptr, *out = nullptr;
  CUDA_CHECK(allocator.DeviceAllocate(reinterpret_cast<void**>(&in), threads * sizeof(float)));
  CUDA_CHECK(allocator.DeviceAllocate(reinterpret_cast<void**>(&out), threads * sizeof(float), 0));
  float host[threads];
  for (int i = 0; i < threads; ++i) host[i] = i + 0.25f;
  CUDA_CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  copy<<<1, threads>>>(in, out);
  for (float& one : host) one = 0;
  CUDA_CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < threads; ++i) EXPECT(host[i] == i + 0.25f);
  EXPECT(allocator.cached_bytes[0].live == 2 * 512);  // the smallest bin's, 8 to the power of 3
  CUDA_CHECK(allocator.DeviceFree(in));
  CUDA_CHECK(allocator.DeviceFree(out));
  CUDA_CHECK(allocator.FreeAllCached());
  EXPECT(allocator.cached_bytes[0].live == 0);
}

int main() {
  checkBlock();
  checkWarps();
  checkMemory();
  int version = 0, blocks = 0;
  CUDA_CHECK(cub::PtxVersion(version));
  EXPECT(version == 900);
  CUDA_CHECK(cub::MaxSmOccupancy(blocks, copy, threads));
  EXPECT(blocks > 0);
  EXPECT(cub::CurrentDevice() == 0 && cub::DeviceCount() == 1);
  EXPECT(CUB_VERSION >= 300000);
  return verdict();
}
