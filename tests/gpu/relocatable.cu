// Relocatable code of two units (this file twice: the second with -DSECOND_UNIT), each with constants and
// shared memory of its own, whose places the program's link decides; kernels that launch others, and clusters
// of blocks that read each other's shared memory. Prints the first thing that is wrong and exits 1.
#include <cooperative_groups.h>

#include <cstdio>
#include <cstdlib>

constexpr int lanes = 32;

constexpr int secondFactor = 7;
#ifdef SECOND_UNIT
constexpr int factor = secondFactor;
#else
constexpr int factor = 3, blocks = 4, children = 4, childThreads = 64;
#endif

static __constant__ int table[lanes];

static cudaError_t fillTable() {
  int values[lanes];
  for (int i = 0; i < lanes; ++i) values[i] = i * factor;
  return cudaMemcpyToSymbol(table, values, sizeof values);
}

cudaError_t fillSecondTable();
__device__ int ofSecondUnit(int lane);
__global__ void secondKernel(int* out);

#ifdef SECOND_UNIT

cudaError_t fillSecondTable() {
  return fillTable();
}
__device__ int ofSecondUnit(int lane) {
  __shared__ double unlike[5];
  if (lane < 5) unlike[lane] = table[lane] + 0.5;
  __syncwarp();
  return table[lane] + static_cast<int>(unlike[lane % 5]);
}
__global__ void secondKernel(int* out) {
  out[threadIdx.x] = table[threadIdx.x] - 1;
}

#else

__global__ void both(int* out) {
  __shared__ float4 wide[lanes];
  const int lane = static_cast<int>(threadIdx.x);
  wide[lane] = make_float4(1, 2, 3, static_cast<float>(ofSecondUnit(lane)));
  __syncthreads();
  out[lane] = table[lane] + static_cast<int>(wide[lane ^ 1].w);
}

__global__ void child(int* out, int parent) {
  out[parent * childThreads + threadIdx.x] = parent * table[threadIdx.x % lanes];
}
__global__ void parents(int* out) {
  if (threadIdx.x < children) child<<<1, childThreads>>>(out, static_cast<int>(threadIdx.x));
}
__global__ void tail(int* out) {
  out[threadIdx.x] += 1;
}
__global__ void withTail(int* out) {
  out[threadIdx.x] = 5;
  if (threadIdx.x == 0) tail<<<1, lanes, 0, cudaStreamTailLaunch>>>(out);
}

__global__ void __cluster_dims__(2, 1, 1) neighbours(int* out) {
  namespace cg = cooperative_groups;
  __shared__ int mine[lanes];
  const cg::cluster_group cluster = cg::this_cluster();
  mine[threadIdx.x] = static_cast<int>(blockIdx.x * lanes + threadIdx.x);
  cluster.sync();
  const int* other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  out[blockIdx.x * lanes + threadIdx.x] = other[threadIdx.x];
  cluster.sync();
}

template <class Expected>
void check(const char* what, const int* out, int count, const Expected& expected) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
  for (int i = 0; i < count; ++i) {
    if (out[i] == expected(i)) continue;
    std::printf("%s: %d instead of %d at %d\n", what, out[i], expected(i), i);
    std::exit(1);
  }
}

int main() {
  int* out;
  cudaMallocManaged(&out, children * childThreads * sizeof(int));
  if (fillTable() != cudaSuccess || fillSecondTable() != cudaSuccess) return 1;
  both<<<1, lanes>>>(out);
  check("both", out, lanes, [](int i) { return i * factor + ((i ^ 1) + (i ^ 1) % 5) * secondFactor; });
  secondKernel<<<1, lanes>>>(out);
  check("secondKernel", out, lanes, [](int i) { return i * secondFactor - 1; });
  parents<<<1, lanes>>>(out);
  check("parents", out, children * childThreads,
        [](int i) { return i / childThreads * (i % childThreads % lanes * factor); });
  withTail<<<1, lanes>>>(out);
  check("withTail", out, lanes, [](int) { return 6; });
  neighbours<<<blocks, lanes>>>(out);
  check("neighbours", out, blocks * lanes, [](int i) { return i ^ lanes; });
  std::printf("relocatable: right\n");
  return 0;
}

#endif
