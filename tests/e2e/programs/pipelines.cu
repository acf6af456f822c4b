// cuda::barrier, cuda::pipeline and the C form of the latter: what is copied asynchronously, and who waits
// for it.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "check.h"

constexpr int n = 64, side = 32, rounds = 5, stages = 2;

__global__ void byBarrier(const int* in, int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  __shared__ int tile[n];
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), arrived);
    auto token = arrived.arrive();
    arrived.wait(static_cast<decltype(token)&&>(token));
    sum += tile[n - 1 - threadIdx.x];
    arrived.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// One warp copies, the other reads; two stages, so that neither gets far ahead.
__global__ void byStages(const int* in, int* out) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  __shared__ int tile[stages][side];
  const bool produces = threadIdx.x < side;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state,
                                  produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  const int lane = threadIdx.x % side;
  for (int i = 0; i < rounds; ++i) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[i % stages][lane], &in[side * i + lane], cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[side * i + lane] = tile[i % stages][side - 1 - lane];
      pipe.consumer_release();
    }
  }
}

__global__ void byThread(const int* in, int* out) {
  __shared__ int4 tile[side];
  __pipeline_memcpy_async(&tile[threadIdx.x], in + 4 * threadIdx.x, sizeof(int4), sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const int4 mine = tile[threadIdx.x];
  out[threadIdx.x] = mine.z + mine.w;
}

// One thread copies all of it at once; the barrier counts its bytes.
__global__ void byBulk(const int* in, int* out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ alignas(16) int tile[n];
  __shared__ Barrier arrived;
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  __syncthreads();
  Barrier::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), arrived);
    token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof tile);
  } else {
    token = arrived.arrive();
  }
  arrived.wait(static_cast<Barrier::arrival_token&&>(token));
  out[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

int main() {
  int host[side * rounds];
  for (int i = 0; i < side * rounds; ++i) host[i] = i;
  int *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, sizeof host));
  CUDA_CHECK(cudaMalloc(&out, sizeof host));
  CUDA_CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  byBarrier<<<1, n>>>(in, out);
  CUDA_CHECK(cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(host[i] == 3 * (n - 1 - i));
  byStages<<<1, n>>>(in, out);
  CUDA_CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < side * rounds; ++i) EXPECT(host[i] == i / side * side + (side - 1 - i % side));
  byThread<<<1, side>>>(in, out);
  CUDA_CHECK(cudaMemcpy(host, out, side * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < side; ++i) EXPECT(host[i] == 4 * i + 2);
  byBulk<<<1, n>>>(in, out);
  CUDA_CHECK(cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(host[i] == n - 1 - i);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
