// Dynamic shared arrays of functions in named namespaces, whose names a template's instantiations have from their namespace: the
// block's one buffer, as everywhere.
#include "check.h"

namespace outer {
template <int Scale>
__global__ void scaled(int* out) {
  extern __shared__ int line[];
  line[threadIdx.x] = Scale * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
__global__ void plain(int* out) {
  extern __shared__ int line[];
  line[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}
namespace {
inline namespace inner_1 {
template <class T>
struct Buffer {
  __device__ static T swapped(T value) {
    extern __shared__ unsigned char bytes[];
    T* const line = reinterpret_cast<T*>(bytes);
    line[threadIdx.x] = value;
    __syncthreads();
    return line[threadIdx.x ^ 1];
  }
};
}  // namespace inner_1
}  // namespace
template <class T>
__global__ void swapped(T* out) {
  const T value = Buffer<T>::swapped(static_cast<T>(threadIdx.x));
  out[threadIdx.x] = value;
}
}  // namespace outer

int main() {
  int* out = nullptr;
  CUDA_CHECK(cudaMallocManaged(&out, 32 * sizeof(int)));
  outer::scaled<3><<<1, 32, 32 * sizeof(int)>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 3 * (31 - i));
  outer::scaled<5><<<1, 32, 32 * sizeof(int)>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 5 * (31 - i));
  outer::plain<<<1, 32, 32 * sizeof(int)>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == 31 - i);
  outer::swapped<<<1, 32, 32 * sizeof(int)>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(out[i] == (i ^ 1));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
