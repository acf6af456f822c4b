// Thrust on the CPU backend: its algorithms run on the host, kernels on what its vectors hold are recorded.
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_vector.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cuda/std/functional>

#include "check.h"

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

/// The numbers from 0 on, as a grid of any size counts them: on the host, its one thread does.
struct Counter {
  unsigned count = 0;
  __device__ unsigned operator()() {
    const unsigned result = blockIdx.x * blockDim.x + threadIdx.x + count;
    count += blockDim.x * gridDim.x;
    return result;
  }
};

__global__ void reverse(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[n - 1 - i];
}

using Entry = thrust::tuple<int, double, float4>;

struct Halve {
  template <class Tuple>
  __device__ void operator()(Tuple t) const {
    thrust::get<1>(t) = thrust::get<0>(t) / 2;
  }
};

__global__ void entries(Entry* all, const int* in, int* out) {
  Entry& one = all[threadIdx.x];
  thrust::get<1>(one) = 2 * thrust::get<0>(one);
  Halve()(thrust::tuple<const int&, int&>(in[threadIdx.x], out[threadIdx.x]));
}

__global__ void standIns(thrust::device_ptr<const int> in, thrust::device_ptr<int> out) {
  const int i = threadIdx.x;
  out[i] = in[2 * i];
  if (i == 0) *out += 5;
  cuda::std::reference_wrapper<int> next = *thrust::raw_pointer_cast(out + 32 + i);
  const int had = next;
  next.get() = had + 1;
}

// CUDA's own system by its name.
#include <thrust/functional.h>
#include <thrust/mr/allocator.h>
#include <thrust/system/cuda/error.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/system/cuda/memory_resource.h>
#include <thrust/system/cuda/vector.h>
#include <thrust/system_error.h>

#include <string>

struct Counting {
  using value_type = char;
  int* count;
  char* allocate(std::ptrdiff_t bytes) {
    ++*count;
    void* result = nullptr;
    CUDA_CHECK(cudaMalloc(&result, static_cast<size_t>(bytes)));
    return static_cast<char*>(result);
  }
  void deallocate(char* memory, size_t) { CUDA_CHECK(cudaFree(memory)); }
};

void onStreams() {
  cudaStream_t stream = nullptr;
  CUDA_CHECK(cudaStreamCreate(&stream));
  const thrust::host_vector<int, thrust::mr::stateless_resource_allocator<
                                     int, thrust::system::cuda::universal_host_pinned_memory_resource>>
      three(3, 7);
  thrust::cuda::vector<int> numbers(three.begin(), three.end());
  EXPECT(numbers.size() == 3 && numbers[2] == 7);
  thrust::sequence(thrust::cuda::par.on(stream), numbers.begin(), numbers.end());
  EXPECT(thrust::reduce(thrust::device.on(stream), numbers.begin(), numbers.end()) == 3);
  const auto later = thrust::cuda::par_nosync.on(stream);
  thrust::transform(later, numbers.begin(), numbers.end(), numbers.begin(), Square());
  CUDA_CHECK(cudaStreamSynchronize(stream));
  int allocations = 0;
  Counting counting{&allocations};
  thrust::stable_sort(thrust::cuda::par(counting).on(stream), numbers.begin(), numbers.end(),
                      thrust::greater<int>());
  CUDA_CHECK(cudaStreamSynchronize(stream));
  EXPECT(numbers[0] == 4 && numbers[2] == 0 && allocations > 0);
  try {
    throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "here");
  } catch (const thrust::system_error& error) {
    EXPECT(std::string(error.what()).find("here: ") == 0 && error.code().value() == cudaErrorInvalidValue);
  }
  CUDA_CHECK(cudaStreamDestroy(stream));
}

int main() {
  constexpr int n = 96;
  onStreams();
  int *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&out, n * sizeof(int)));
  const thrust::device_ptr<int> first(in), reversed(out);
  thrust::sequence(first, first + n);
  reverse<<<3, 32>>>(in, out, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  thrust::device_vector<int> sorted(reversed, reversed + n);
  EXPECT(sorted[0] == n - 1 && sorted[n - 1] == 0);
  thrust::sort(sorted.begin(), sorted.end());
  EXPECT(sorted == thrust::host_vector<int>(first, first + n));

  thrust::transform(first, first + 4, sorted.begin(), Square());
  thrust::inclusive_scan(sorted.begin(), sorted.begin() + 4, sorted.begin());
  EXPECT(sorted[3] == 0 + 1 + 4 + 9);
  EXPECT(thrust::reduce(first, first + n) == n * (n - 1) / 2);
  thrust::device_vector<unsigned> counted(n);
  thrust::generate(counted.begin(), counted.end(), Counter());
  thrust::sort(counted.begin(), counted.end());
  for (unsigned i = 0; i < n; ++i) EXPECT(counted[i] == i);

  thrust::host_vector<Entry> some(32, Entry(3, 0, float4()));
  Entry* all = nullptr;
  CUDA_CHECK(cudaMalloc(&all, 32 * sizeof(Entry)));
  CUDA_CHECK(cudaMemcpy(all, some.data(), 32 * sizeof(Entry), cudaMemcpyDefault));
  entries<<<1, 32>>>(all, in, out);
  CUDA_CHECK(cudaMemcpy(some.data(), all, 32 * sizeof(Entry), cudaMemcpyDefault));
  EXPECT(thrust::get<1>(some[31]) == 6 && reversed[31] == 31 / 2);
  standIns<<<1, 32>>>(first, reversed);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(reversed[0] == 5 && reversed[31] == 62 && reversed[33] == n - 1 - 33 + 1);

  // The runtime's copies know what Thrust has allocated.
  int copied[4];
  CUDA_CHECK(
      cudaMemcpy(copied, thrust::raw_pointer_cast(sorted.data()), sizeof copied, cudaMemcpyDeviceToHost));
  EXPECT(copied[3] == 0 + 1 + 4 + 9);
  const thrust::device_ptr<int> lent = thrust::device_malloc<int>(4);
  CUDA_CHECK(cudaMemcpy(lent.get(), copied, sizeof copied, cudaMemcpyHostToDevice));
  EXPECT(lent[3] == copied[3]);
  EXPECT(thrust::reduce(thrust::seq, copied, copied + 4) ==
         0 + 1 + 5 + 14);  // by no header of its own, as with nvcc
  thrust::device_free(lent);
  CUDA_CHECK(cudaFree(all));
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
