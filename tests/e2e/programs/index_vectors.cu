// threadIdx and its kin as what they are to nvcc: uint3 and dim3, to templates, operators and references.
#include "check.h"

template <class T>
struct Extents {};
template <>
struct Extents<uint3> {
  typedef uint3 Sum;
};
template <>
struct Extents<dim3> {
  typedef uint3 Sum;
};
template <class A, class B>
__device__ typename Extents<A>::Sum operator*(const A& a, const B& b) {
  return make_uint3(a.x * b.x, a.y * b.y, a.z * b.z);
}
template <class A, class B>
__device__ typename Extents<A>::Sum operator+(const A& a, const B& b) {
  return make_uint3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ int rowOf(const uint3& thread) { return thread.y * 8 + thread.x; }

__global__ void number(int* numbers) {
  const uint3 at = blockIdx * blockDim + threadIdx;
  auto own = threadIdx;
  own.x += 8 * threadIdx.y;
  numbers[at.x + 16 * at.y] = 100 * rowOf(threadIdx) + own.x;
}

int main() {
  int* numbers = nullptr;
  CUDA_CHECK(cudaMalloc(&numbers, 64 * sizeof(int)));
  number<<<2, dim3(8, 4)>>>(numbers);
  int result[64];
  CUDA_CHECK(cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(numbers));
  for (int i = 0; i < 64; ++i) {
    const int thread = i / 16 * 8 + i % 8;
    EXPECT(result[i] == 101 * thread);
  }
  return verdict();
}
