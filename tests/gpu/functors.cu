// Functions of the program's that Thrust's and CUB's kernels call: these kernels announce nothing, and what
// the functors access is theirs. Own kernels, copies and fills in between, two streams. functors.py counts.
// Exits 1 if a result is wrong. With a number: so many rounds.
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <cstdio>
#include <cstdlib>
#include <cub/device/device_for.cuh>

constexpr int count = 10000;

struct AddIndex {
  int* to;
  __device__ void operator()(int i) const { to[i] += i; }
};
struct TakeTwice {
  const int* from;
  __device__ int operator()(int i) const { return 2 * from[i]; }
};
struct Flip {
  __device__ void operator()(int& each) const { each = -each; }
};

__global__ void ownKernel(int* to, int value) {
  to[blockIdx.x * blockDim.x + threadIdx.x] += value;
}

#define CHECK(call)                                                               \
  do {                                                                            \
    const cudaError_t error = (call);                                             \
    if (error == cudaSuccess) break;                                              \
    std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error)); \
    return 1;                                                                     \
  } while (0)

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 8;
  int *a, *b;
  cudaStream_t stream;
  CHECK(cudaMallocManaged(&a, count * sizeof(int)));
  CHECK(cudaMallocManaged(&b, count * sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  const auto first = thrust::make_counting_iterator(0);
  long sum = 0;
  for (int round = 0; round < rounds; ++round) {
    CHECK(cudaMemset(a, 0, count * sizeof(int)));
    thrust::for_each(thrust::cuda::par.on(stream), first, first + count, AddIndex{a});
    ownKernel<<<4, 64, 0, stream>>>(a, 5);
    CHECK(cudaStreamSynchronize(stream));
    thrust::transform(thrust::device, first, first + count, b, TakeTwice{a});
    sum += thrust::reduce(thrust::device, b, b + count);  // nothing of the program's
    CHECK(cub::DeviceFor::ForEachN(b, count, Flip{}));
    ownKernel<<<1, 32>>>(b, 1);
    if (round % 2 == 1) CHECK(cudaDeviceSynchronize());
  }
  CHECK(cudaDeviceSynchronize());
  const long expected = rounds * 2L * (count * (count - 1L) / 2 + 5 * 256);
  long last = 0;
  for (int i = 0; i < count; ++i) last += b[i];
  const bool right = sum == expected && last == 32 - expected / rounds;
  std::printf("%s\n", right ? "right" : "wrong");
  return right ? 0 : 1;
}
