// What constructors and operators that nobody wrote store, members of packed structures by the names of a structured binding,
// and what a call through a pointer leads to.
#include <new>

#include "check.h"

struct Base {
  int b;
  __device__ virtual int value() { return b; }
};
struct Derived : Base {
  int d;
  __device__ int value() override { return d; }
};
struct Pair {
  int x, y;
};
struct Triple : Pair {
  int z;
  __device__ Triple(const Pair& pair, int last) : Pair(pair), z(last) {}
  __device__ Triple& operator=(const Triple& other) {
    Pair::operator=(other);
    z = other.z;
    return *this;
  }
};
struct __attribute__((packed)) Packed {
  char tag;
  int value;
};

__device__ int& second(int* p) {
  return p[1];
}

__global__ void store(Derived* derived, Triple* triples, Packed* packed, int* numbers) {
  const int t = threadIdx.x;
  new (&derived[t]) Derived;
  new (&triples[t]) Triple(Pair{t, 2 * t}, 3 * t);
  triples[4 + t] = triples[t];
  auto& [tag, value] = packed[t];
  value = t;
  int& (*place)(int*) = second;
  place(numbers + t) = 5 * t;
}

int main() {
  Derived* derived = nullptr;
  int *triples = nullptr, *numbers = nullptr;
  Packed* packed = nullptr;
  CUDA_CHECK(cudaMallocManaged(&derived, 4 * sizeof(Derived)));
  CUDA_CHECK(cudaMallocManaged(&triples, 8 * sizeof(Triple)));
  CUDA_CHECK(cudaMallocManaged(&packed, 4 * sizeof(Packed)));
  CUDA_CHECK(cudaMallocManaged(&numbers, 5 * sizeof(int)));
  store<<<1, 4>>>(derived, reinterpret_cast<Triple*>(triples), packed, numbers);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) {
    const int* copied = triples + 3 * (4 + i);
    EXPECT(copied[0] == i && copied[1] == 2 * i && copied[2] == 3 * i);
    EXPECT(packed[i].value == i);
    EXPECT(numbers[i + 1] == 5 * i);
  }
  for (void* p : {(void*)derived, (void*)triples, (void*)packed, (void*)numbers}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
