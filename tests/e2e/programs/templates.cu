// Templates: one site for all instantiations, with what they were; dependent accesses, class templates with
// operator[], functors, defaults, and launches whose template arguments contain commas.
#include "check.h"

template <class T>
struct Span {
  T* data;
  int size;
  __device__ T& operator[](int i) const { return data[i]; }
};

template <class T, class Operation>
__device__ void apply(Span<T> values, int i, Operation operation) {
  if (i < values.size) values[i] = operation(values[i]);
}

template <class T, int Factor>
struct Multiply {
  __host__ __device__ T operator()(T value) const { return value * T(Factor); }
};

template <class T, int Factor, bool Shift = false>
__global__ void scale(T* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  apply(Span<T>{values, n}, i, Multiply<T, Factor>{});
  if (Shift && i < n) values[i] += T(1);
}

template <class T, class... Rest>
__device__ T sum(T first, Rest... rest) {
  T total = first;
  const T others[] = {T(rest)...};
  for (const T other : others) total += other;
  return total;
}

template <typename T>
__global__ void triples(const T* __restrict__ in, T* __restrict__ out) {
  const int i = threadIdx.x;
  out[i] = sum(in[3 * i], in[3 * i + 1], in[3 * i + 2]);
}

int main() {
  constexpr int n = 48;
  int hostInts[n];
  double hostDoubles[n];
  for (int i = 0; i < n; ++i) hostDoubles[i] = hostInts[i] = i;
  int* ints = nullptr;
  double* doubles = nullptr;
  CUDA_CHECK(cudaMalloc(&ints, sizeof hostInts));
  CUDA_CHECK(cudaMalloc(&doubles, sizeof hostDoubles));
  CUDA_CHECK(cudaMemcpy(ints, hostInts, sizeof hostInts, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(doubles, hostDoubles, sizeof hostDoubles, cudaMemcpyHostToDevice));
  scale<int, 3><<<2, 32>>>(ints, n);
  scale<double, 2, true><<<2, 32>>>(doubles, n);
  triples<double><<<1, 16>>>(doubles, doubles);
  CUDA_CHECK(cudaMemcpy(hostInts, ints, sizeof hostInts, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostDoubles, doubles, sizeof hostDoubles, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(hostInts[i] == 3 * i);
  for (int i = 16; i < n; ++i) EXPECT(hostDoubles[i] == 2 * i + 1);
  EXPECT(hostDoubles[0] == 1 + 3 + 5);
  EXPECT(hostDoubles[15] == 91 + 93 + 95);
  CUDA_CHECK(cudaFree(ints));
  CUDA_CHECK(cudaFree(doubles));
  return verdict();
}
