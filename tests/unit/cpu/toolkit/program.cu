// Uses each family of the toolkit headers once, in the ways programs do. Only compiled.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuComplex.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>  // once more
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <malloc.h>
#include <math_constants.h>
#include <vector_functions.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

// Programs define these; no header of ours may expand them from here on.
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#include <cub/cub.cuh>
#include <mma.h>
#include <texture_types.h>
#undef min
#undef max

#if !CUI_TK_PARSE && __CUDA_ARCH__ < 700
#error "a kernel that asks for an architecture would be empty"
#endif
#if !defined(__CUDACC__) || !defined(__NVCC__) || CUDART_VERSION != 13000 || !defined(__DRIVER_TYPES_H__)
#error "what programs test for is not defined"
#endif

#define CHECK(call)                                                                         \
  do {                                                                                      \
    cudaError_t error = (call);                                                             \
    if (error != cudaSuccess) std::cerr << #call << ": " << cudaGetErrorString(error) << '\n'; \
  } while (0)

namespace cg = cooperative_groups;

__constant__ float coefficients[16];
__device__ int counter;
__managed__ double total;

__host__ __device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ __forceinline__ float square(float x) { return x * x; }
static __device__ __noinline__ int slow(int x) { return x + 1; }

struct Functor {
  __host__ __device__ constexpr int operator()(int x) const { return x * 2; }
};

template <class T, int N>
__global__ void __launch_bounds__(N* N, 1) everything(T* out, const T* __restrict__ in, int n, float3* points) {
  __shared__ T tile[N][N + 1];
  __shared__ __align__(16) unsigned char bytes[32];
  const int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
  if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
  bytes[threadIdx.x % 32] = 0;
  __syncthreads();
  float v = __ldg(&in[0]) + coefficients[x % 16] + rsqrtf(2.0f) + sinf(1.0f) + std::sqrt(2.0f) + max(x, 3) + min(1u, 2) + square(3);
  v += __expf(v) + __fdividef(v, 2.0f) + powf(v, 3) + pow(v, 2) + fabs(v) + abs(x) + norm3df(1, 2, 3) + erfinvf(0.5f) + CUDART_PI_F;
  v += __fadd_rz(v, 1.0f) + __fmaf_rn(v, v, v) + __saturatef(v) + fminf(v, 1) + std::max(x, y) + isnan(v) + signbit(v);
  float s, c;
  sincosf(v, &s, &c);
  __sincosf(v, &s, &c);
  int bits = __popc(x) + __clz(y) + __ffs(x) + __float_as_int(v) + __float2int_rn(v) + __mul24(x, y) + slow(x) + Functor()(x);
  v += __shfl_down_sync(0xffffffffu, v, 16) + __shfl_xor_sync(0xffffffffu, 1.0, 1);
  bits += __ballot_sync(__activemask(), x > 0) + __syncthreads_count(1) + __reduce_add_sync(~0u, bits);
  atomicAdd(&counter, 1);
  atomicAdd(&total, 1.0);
  atomicCAS(&counter, 0, 1);
  atomicMax(reinterpret_cast<unsigned long long*>(out), 1ull);
  __threadfence();
  const float4 wide = reinterpret_cast<const float4*>(in)[0];
  points[0] = points[1] + make_float3(wide.x, s, c);
  assert(n > 0);
  if (x == 0) printf("%d %f\n", bits, v);
  dim3 extent = blockDim;
  out[x * n + y] = tile[threadIdx.x][threadIdx.y] + v + extent.x + warpSize + clock() + clock64();
  __stcs(out, 1);
  int* scratch = new int[4];
  delete[] scratch;
  free(malloc(4));
}

__global__ void halves(half* a, half2* b, __nv_bfloat16* c, float* out) {
  half h = __float2half(1.5f) + a[0];
  h = h * a[1] + __hfma(h, h, h);
  if (h > a[1]) a[0] = -h;
  b[0] = __hadd2(b[1], __float2half2_rn(2.0f)) * b[2];
  out[0] = __half2float(__shfl_down_sync(~0u, h, 1)) + __low2float(b[0]) + static_cast<float>(c[0] * c[1]);
  atomicAdd(a, h);
  a[1] = 3;
  a[2] = 1.0f;
}

__global__ void groups(int* out, cudaTextureObject_t texture) {
  __shared__ int staged[32];
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const cg::thread_block_tile<4> quad = cg::tiled_partition<4>(warp);
  cg::memcpy_async(block, staged, out, sizeof staged);
  cg::wait(block);
  cg::sync(block);
  out[0] = cg::reduce(warp, 1, cg::plus<int>()) + quad.shfl_down(3, 1) + cg::coalesced_threads().size() +
           cg::inclusive_scan(quad, 1) + cg::this_grid().thread_rank();
  cg::thread_group any = cg::tiled_partition(block, 16);
  any.sync();
  out[1] = static_cast<int>(tex2D<float>(texture, 0.5f, 0.5f) + cuCabsf(cuCmulf(make_cuFloatComplex(1, 2), make_cuComplex(3, 4))));
}

int main() {
  float *a = nullptr, *b = nullptr;
  const float* constant = nullptr;
  CHECK(cudaMalloc((void**)&a, 4096));
  CHECK(cudaMalloc(&b, 4096));
  CHECK(cudaMalloc(&constant, 16));
  std::vector<float> host(1024);
  CHECK(cudaMemcpy(a, host.data(), 4096, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(coefficients, host.data(), sizeof coefficients));
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop, cudaEventBlockingSync);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  dim3 grid(2, 2), threads(16, 16);
#if CUI_TK_PARSE
  everything<float, 16><<<grid, threads, 128, stream>>>(a, b, 32, nullptr);
#endif
  float3* points = nullptr;
  int n = 32;
  void* arguments[] = {&a, &b, &n, &points};
  CHECK(cudaLaunchKernel(everything<float, 16>, grid, threads, arguments, 0, stream));
  cudaLaunchConfig_t config = {};
  CHECK(cudaLaunchKernelEx(&config, halves, nullptr, nullptr, nullptr, a));
  CHECK(cudaFuncSetAttribute(everything<float, 16>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  int blockSize = 0, gridSize = 0;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&gridSize, &blockSize, everything<float, 16>, 0, 0));
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&gridSize, &blockSize, halves, [](int t) { return t * 4; }));
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  std::cout << properties.name << properties.clockRate << std::min(1, 2) << max(1, 2) << rsqrtf(2.0f);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaChannelFormatDesc description = cudaCreateChannelDesc<float4>();
  cudaArray_t array;
  cudaMallocArray(&array, &description, 64, 64);
  CUdevice device;
  cuDeviceGet(&device, 0);
  return cudaDeviceReset() == cudaSuccess ? 0 : 1;
}
