// Functions of the program's by the names of the toolkit's, which nvcc lets it define again; Eigen by the
// name that its folder has in some systems.
#include <eigen3/Eigen/Dense>

#include "check.h"

// They compute what the toolkit's do: on a GPU it is the toolkit's that device code calls all the same.
__host__ __device__ inline int __clz(int x) {
  int zeros = 32;
  for (unsigned left = static_cast<unsigned>(x); left != 0; left >>= 1) --zeros;
  return zeros;
}
__device__ inline int __popc(unsigned x) {
  int ones = 0;
  for (; x != 0; x &= x - 1) ++ones;
  return ones;
}
static __device__ __forceinline__ int __float_as_int(float x) {
  union {
    float real;
    int bits;
  } both = {x};
  return both.bits;
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
      (__float_as_int(in[threadIdx.x].dot(in[0])) >> 20) + __ffs(small) + __clzll(1) + __brev(1u << 31);
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
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 31 - i + 100 + 10000 * (i + 1));
  mixed<<<1, 32>>>(vectors, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 0x40a + 103 + 63 + 1);  // 5 is 0x40a00000
  EXPECT(__clz(0) == 32);
  return verdict();
}
