// CUB's algorithms that go over ranges: a function for each item, differences, merges, many copies at once.
#include <cub/cub.cuh>
#include <cub/device/device_transform.cuh>

#if __has_include(<cuda/std/tuple>)
#include <cuda/std/tuple>
using Inputs = cuda::std::tuple<int*, int*>;
#else  // without a toolkit CUB's is the standard library's
#include <tuple>
using Inputs = std::tuple<int*, int*>;
#endif

#include "check.h"

constexpr int count = 100;

struct Weighted {
  __host__ __device__ int operator()(int a, int b) const { return 3 * a + b; }
};
struct Square {
  __host__ __device__ int operator()(int a) const { return a * a; }
};
struct Sum {
  __host__ __device__ int operator()(int a, int b) const { return a + b; }
};
struct AddOne {
  __host__ __device__ void operator()(int& a) const { ++a; }
};

// How many of the values are even: a kernel of the program's own between the algorithms.
__global__ void countEven(const int* values, int* result) {
  if (values[threadIdx.x] % 2 == 0) atomicAdd(result, 1);
}

template <class T = int>
T* numbers(int n) {
  T* all;
  CUDA_CHECK(cudaMallocManaged(&all, n * sizeof(T)));
  return all;
}

/// CUB's two calls.
template <class F>
void twice(F call) {
  size_t bytes = 0;
  void* memory = nullptr;
  CUDA_CHECK(call(memory, bytes));
  CUDA_CHECK(cudaMalloc(&memory, bytes > 0 ? bytes : 1));
  CUDA_CHECK(call(memory, bytes));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(memory));
}

int main() {
  int *a = numbers(count), *b = numbers(count), *c = numbers(2 * count), *d = numbers(2 * count);
  CUDA_CHECK(cub::DeviceFor::Bulk(count, [=] __device__(int i) { a[i] = i; }));
  CUDA_CHECK(cub::DeviceFor::ForEachN(a, count / 2, AddOne()));
  CUDA_CHECK(cub::DeviceFor::ForEach(a, a + count / 2, AddOne()));
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceFor::ForEachN(memory, bytes, a, count / 2, AddOne());
  });
  CUDA_CHECK(cub::DeviceFor::ForEachCopyN(a, count, [=] __device__(int i) { b[i % count] = 1; }));
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(a[i] == (i < 50 ? i + 3 : i));
  for (int i = 3; i < count; ++i) EXPECT(b[i] == 1);  // 3 to 99

  CUDA_CHECK(cub::DeviceTransform::Transform(a, b, count, Square()));
  CUDA_CHECK(cub::DeviceTransform::Transform(Inputs(a, b), c, count, Weighted()));
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(b[i] == a[i] * a[i] && c[i] == 3 * a[i] + b[i]);

  c[0] = 0;
  countEven<<<1, count>>>(a, c);  // 3 to 52 and 50 to 99: 25 each
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(c[0] == 50);

  for (int i = 0; i < count; ++i) a[i] = i * i;
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, a, b, count);
  });
  for (int i = 1; i < count; ++i) EXPECT(b[i] == 2 * i - 1);
  EXPECT(b[0] == 0);
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceAdjacentDifference::SubtractRight(memory, bytes, a, count, Sum());
  });
  for (int i = 0; i + 1 < count; ++i) EXPECT(a[i] == 2 * i * i + 2 * i + 1);
  EXPECT(a[count - 1] == 99 * 99);
  for (int i = 0; i < count; ++i) a[i] = i * i;
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeft(memory, bytes, a, count);
  });
  for (int i = 1; i < count; ++i) EXPECT(a[i] == 2 * i - 1);

  int *ones = numbers(count), *twos = numbers(count);
  for (int i = 0; i < count; ++i) {
    a[i] = 2 * i;
    b[i] = 3 * i;
    ones[i] = 1;
    twos[i] = 2;
  }
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceMerge::MergeKeys(memory, bytes, a, count, b, count, c);
  });
  for (int i = 1; i < 2 * count; ++i) EXPECT(c[i - 1] <= c[i]);
  EXPECT(c[2] == 2 && c[3] == 3 && c[199] == 297);
  twice([&](void* memory, size_t& bytes) {  // every multiple of six in both: the first input's goes first
    return cub::DeviceMerge::MergePairs(memory, bytes, a, ones, count, b, twos, count, c, d);
  });
  for (int i = 1; i < 2 * count; ++i) EXPECT(c[i - 1] < c[i] || (d[i - 1] == 1 && d[i] == 2));

  // Ten ranges of 1 to 10 items, in turn from the end.
  int **from = numbers<int*>(10), **to = numbers<int*>(10), *sizes = numbers(10);
  for (int i = 0, at = 0; i < 10; at += ++i) {
    from[i] = a + at;
    to[i] = c + 55 - at - i - 1;
    sizes[i] = i + 1;
  }
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceCopy::Batched(memory, bytes, from, to, sizes, 10);
  });
  EXPECT(c[54] == 0 && c[52] == 2 && c[53] == 4 && c[0] == 90 && c[9] == 108);
  for (int i = 0; i < 10; ++i) sizes[i] *= static_cast<int>(sizeof(int));
  for (int i = 0; i < 55; ++i) c[i] = -1;
  twice([&](void* memory, size_t& bytes) {
    return cub::DeviceMemcpy::Batched(memory, bytes, from, to, sizes, 10);
  });
  EXPECT(c[54] == 0 && c[52] == 2 && c[53] == 4 && c[0] == 90 && c[9] == 108);
  return verdict();
}
