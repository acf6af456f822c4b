// Blocks that form clusters: launched so, or as their kernel says; what they do to each other's shared
// memory.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

constexpr int blocks = 4, threads = 32, bins = 16;

/// Each block of a pair has half of the bins.
__global__ void count(const int* in, int* out, int n) {
  extern __shared__ int mine[];
  cg::cluster_group pair = cg::this_cluster();
  const int half = bins / static_cast<int>(pair.num_blocks());
  if (threadIdx.x < half) mine[threadIdx.x] = 0;
  pair.sync();
  for (int i = cg::this_grid().thread_rank(); i < n; i += gridDim.x * blockDim.x) {
    const int bin = in[i];
    atomicAdd(pair.map_shared_rank(mine, bin / half) + bin % half, 1);
  }
  pair.sync();
  if (threadIdx.x < half) atomicAdd(&out[pair.block_rank() * half + threadIdx.x], mine[threadIdx.x]);
}

/// What the other block of the pair has, in a grid of two rows.
template <int Rows>
__global__ void __cluster_dims__(1, Rows) exchange(int* out) {
  __shared__ int own[threads];
  const cg::cluster_group pair = cg::this_cluster();
  own[threadIdx.x] = 100 * blockIdx.x + 10 * blockIdx.y + threadIdx.x % 10;
  pair.sync();
  const int* other = pair.map_shared_rank(&own[0], pair.block_rank() ^ 1);
  out[(blockIdx.y * gridDim.x + blockIdx.x) * threads + threadIdx.x] = other[threadIdx.x];
  pair.sync();
}

__device__ unsigned windowOf(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/// The same in PTX: block 0 waits until block 1 has written to its memory, and arrived.
__global__ void __cluster_dims__(2) handOver(unsigned* out) {
  __shared__ unsigned value;
  __shared__ unsigned long long arrived;
  unsigned rank, size, there, to, done = 0;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(windowOf(&arrived)) : "memory");
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (rank == 1 && threadIdx.x == 0) {
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(windowOf(&value)));
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"(windowOf(&arrived)));
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(there), "r"(7u + size) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(to) : "memory");
  }
  if (rank == 0 && threadIdx.x == 0) {
    while (done == 0)
      asm volatile(
          "{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.u32 %0, 1, 0, p;\n}"
          : "=r"(done)
          : "r"(windowOf(&arrived))
          : "memory");
    out[blockIdx.x / 2] = value;
  }
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}

/// Where each block is, as it is told.
__global__ void places(int* out) {
  const cg::cluster_group group = cg::this_cluster();
  const cg::grid_group grid = cg::this_grid();
  if (threadIdx.x != 0) return;
  int* mine = out + 4 * static_cast<int>(grid.block_rank());
  mine[0] = group.block_rank() + 10 * group.num_blocks() + 100 * group.query_shared_rank(&out);
  mine[1] = group.block_index().x + 10 * group.block_index().y + 100 * group.block_index().z;
  mine[2] = grid.cluster_rank() + 10 * grid.num_clusters();
  mine[3] = group.thread_rank() + group.dim_threads().x * 1000;
}

cudaError_t launch(void (*kernel)(int*), dim3 grid, dim3 cluster, int* out) {
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = threads;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, out);
}

int main() {
  const int n = blocks * threads;
  int *in, *out;
  CUDA_CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  for (int i = 0; i < n; ++i) in[i] = i % bins;

  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = bins / 2 * sizeof(int);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  int most = 0, active = 0;
  CUDA_CHECK(cudaFuncSetAttribute(count, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CUDA_CHECK(cudaOccupancyMaxPotentialClusterSize(&most, count, &config));
  CUDA_CHECK(cudaOccupancyMaxActiveClusters(&active, count, &config));
  EXPECT(most >= 8 && active > 0);
  CUDA_CHECK(cudaLaunchKernelEx(&config, count, static_cast<const int*>(in), out, n));
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < bins; ++i) EXPECT(out[i] == n / bins);

  exchange<2><<<dim3(2, 2), threads>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i)
    EXPECT(out[i] == 100 * (i / threads % 2) + 10 * (1 - i / threads / 2) + i % threads % 10);

  handOver<<<blocks, threads>>>(reinterpret_cast<unsigned*>(out));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(out[0] == 9 && out[1] == 9);

  CUDA_CHECK(launch(places, dim3(2, 2, 2), dim3(2, 1, 2), out));
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int block = 0; block < 8; ++block) {
    const int x = block % 2, y = block / 2 % 2, z = block / 4, rank = x + 2 * z;
    EXPECT(out[4 * block] % 100 == rank + 40);
    EXPECT(out[4 * block + 1] == x + 100 * z);
    EXPECT(out[4 * block + 2] == y + 20);
    EXPECT(out[4 * block + 3] == rank * threads + 2 * threads * 1000);
  }
  places<<<2, threads>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(out[4] % 100 == 10 && out[5] == 0 && out[6] == 21 && out[7] == threads * 1000);

  EXPECT(launch(places, dim3(3), dim3(2), out) == cudaErrorInvalidClusterSize);
  EXPECT(launch(places, dim3(32), dim3(32), out) == cudaErrorInvalidClusterSize);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
