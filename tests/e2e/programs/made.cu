// What `new` stores, by itself or by a constructor of the program's; and a reference that a condition
// declares, which the condition reads.
#include <new>

#include "check.h"

struct Pair {
  int first, second;
};

struct Own {
  int value;
  __device__ explicit Own(int v) : value(v) {}
};

template <class T>
__device__ T* placed(void* at, int v) {
  return new (at) T(v);
}

__global__ void make(Pair* pairs, int* numbers, Own* owns) {
  const int t = threadIdx.x;
  new (&pairs[t]) Pair{t, numbers[t]};
  *placed<int>(numbers + 4 + t, t) += 1;
  new (owns + t) Own(t + 7);
}

__global__ void conditions(int* numbers, int** found) {
  const int t = threadIdx.x;
  while (int& left = numbers[t]) left -= 1;
  if (int*& place = found[t]) *place = 5;
}

int main() {
  Pair* pairs = nullptr;
  int *numbers = nullptr, **found = nullptr;
  Own* owns = nullptr;
  CUDA_CHECK(cudaMallocManaged(&pairs, 4 * sizeof(Pair)));
  CUDA_CHECK(cudaMallocManaged(&numbers, 8 * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&owns, 4 * sizeof(Own)));
  CUDA_CHECK(cudaMallocManaged(&found, 4 * sizeof(int*)));
  for (int i = 0; i < 4; ++i) {
    numbers[i] = i;
    found[i] = i == 1 ? nullptr : numbers + 4 + i;
  }
  make<<<1, 4>>>(pairs, numbers, owns);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) {
    EXPECT(pairs[i].first == i && pairs[i].second == i);
    EXPECT(numbers[4 + i] == i + 1);
  }
  conditions<<<1, 4>>>(numbers, found);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) {
    EXPECT(numbers[i] == 0);
    EXPECT(numbers[4 + i] == (i == 1 ? 2 : 5));
  }
  for (void* p : {(void*)pairs, (void*)numbers, (void*)owns, (void*)found}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
