// Bit fields that are named without their object, of a base class, through a macro, through a handle and stored by
// a constructor's initialisers; of a template, where they are bit fields in some instantiations only.
#include <new>

#include "check.h"

#define LOW(object) ((object).low + sizeof((object).whole))

struct Bits {
  unsigned low : 4;
  unsigned whole;
  __device__ explicit Bits(unsigned v) : low(v), whole(2 * v) {}
  __device__ unsigned sum() const { return low + whole; }
};

struct Front {
  long long first;
};

struct Derived : Front, Bits {
  unsigned last;
  __device__ explicit Derived(unsigned v) : Bits(v), last(low) {}
};

__global__ void construct(Bits* bits, Derived* derived) {
  const unsigned i = threadIdx.x;
  new (&bits[i]) Bits(i);
  new (&derived[i]) Derived(i);
}

// Each call of the handle's operator takes a step: it is called as often as the source says.
struct Walker {
  const Bits* next;
  __device__ const Bits* operator->() { return next++; }
};

__global__ void read(const Bits* bits, const Derived* derived, unsigned* out) {
  const unsigned i = threadIdx.x;
  out[i] = bits[i].sum() + derived[i].low;
  out[i] += LOW(derived[i]);
  if (i > 0) return;
  Walker walker = {bits};
  out[0] += walker->low + walker->low + walker->low;
}

struct Plain {
  unsigned first, low;
};
template <class T>
__global__ void either(const T* p, unsigned* out) {
  out[threadIdx.x] += p[threadIdx.x].low;
}

int main() {
  Bits* bits = nullptr;
  Derived* derived = nullptr;
  unsigned* out = nullptr;
  CUDA_CHECK(cudaMalloc(&bits, 4 * sizeof(Bits)));
  CUDA_CHECK(cudaMalloc(&derived, 4 * sizeof(Derived)));
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(unsigned)));
  construct<<<1, 4>>>(bits, derived);
  read<<<1, 4>>>(bits, derived, out);
  either<<<1, 4>>>(bits, out);
  either<<<1, 4>>>(reinterpret_cast<const Plain*>(bits), out);  // reads what is `whole` there
  unsigned result[4];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 4; ++i) EXPECT(result[i] == 8 * i + 4 + (i == 0 ? 3 : 0));
  for (void* memory : {static_cast<void*>(bits), static_cast<void*>(derived), static_cast<void*>(out)})
    CUDA_CHECK(cudaFree(memory));
  return verdict();
}
