// What functions that could be constants read through pointers to other types.
#include "check.h"

struct Pair {
  short low, high;
  __device__ constexpr unsigned bits() const noexcept { return *(unsigned*)(this); }
  __device__ constexpr bool operator==(Pair other) const noexcept { return this->bits() == other.bits(); }
};
__host__ __device__ constexpr unsigned patternOf(const float* p, int i) {
  return *reinterpret_cast<const unsigned*>(p + i);
}
__device__ constexpr void clear(float* p) {
  *(unsigned*)p = 0;
}
#define LOW(x) *(const short*)(x)
__device__ constexpr short lowOf(const unsigned* p) {
  return LOW(p);
}

__global__ void read(const Pair* pairs, float* numbers, unsigned* out) {
  const int i = threadIdx.x;
  out[i] = pairs[i].bits() + patternOf(numbers, i);
  clear(numbers + i);
  out[i] += lowOf(out + i) + LOW(out + i);
}

int main() {
  Pair* pairs;
  float* numbers;
  unsigned* out;
  CUDA_CHECK(cudaMallocManaged(&pairs, 8 * sizeof(Pair)));
  CUDA_CHECK(cudaMallocManaged(&numbers, 8 * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&out, 8 * sizeof(unsigned)));
  for (short i = 0; i < 8; ++i) {
    pairs[i] = {i, 0};
    numbers[i] = 1;
  }
  read<<<1, 8>>>(pairs, numbers, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 8; ++i) EXPECT(out[i] == (0x3f800000u + i) + 2 * i && numbers[i] == 0);
  CUDA_CHECK(cudaFree(pairs));
  CUDA_CHECK(cudaFree(numbers));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
