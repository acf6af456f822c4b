// Functions of the program's by the names of the toolkit's, which nvcc lets it define again; Eigen by the
// name that its folder has in some systems.
#include <eigen3/Eigen/Dense>

#include "check.h"

// One more than the toolkit's each, so that it shows which is called.
__host__ __device__ inline int __clz(int x) {
  return x == 0 ? 33 : __builtin_clz(static_cast<unsigned>(x)) + 1;
}
__device__ inline int __popc(unsigned x) {
  return __builtin_popcount(x) + 1;
}
static __device__ __forceinline__ int __float_as_int(float x) {
  return static_cast<int>(x) + 1;
}
// An overload beside the toolkit's.
__device__ inline int __ffs(short x) {
  return 100 + x;
}

__global__ void bits(const int* in, int* out) {
  const int x = in[threadIdx.x];
  out[threadIdx.x] = __clz(x) + 100 * __popc(x) + 10000 * __ffs(x);
}

__global__ void mixed(const Eigen::Vector3f* in, int* out) {
  const short small = 3;
  out[threadIdx.x] =
      __float_as_int(in[threadIdx.x].dot(in[0])) + __ffs(small) + __clzll(1) + __brev(1u << 31);
}

int main() {
  int *in, *out;
  Eigen::Vector3f* vectors;
  CUDA_CHECK(cudaMallocManaged(&in, 32 * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&out, 32 * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&vectors, 32 * sizeof *vectors));
  for (int i = 0; i < 32; ++i) {
    in[i] = 1 << i;
    vectors[i] = {static_cast<float>(i), 1, 2};
  }
  bits<<<1, 32>>>(in, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 31 - i + 1 + 200 + 10000 * (i + 1));
  mixed<<<1, 32>>>(vectors, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 5 + 1 + 103 + 63 + 1);
  EXPECT(__clz(0) == 33);
  return verdict();
}
