// Bit fields named without their object, with their class, of base classes, virtual ones too, through macros
// and handles; that initialisers store; of a template, where some have them. Packed members of templates.
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

// Where its Bits lie only the object tells.
struct Above : virtual Bits {
  unsigned own;
  __device__ explicit Above(unsigned v) : Bits(v), own(v) {}
  __device__ unsigned twice() const { return low + this->low; }
};

__global__ void fromAbove(Above* above, unsigned* out) {
  const unsigned i = threadIdx.x;
  new (&above[i]) Above(i);
  out[i] += above[i].twice() + above[i].low;
}

template <class T>
struct Over : T {
  using T::low;
  __device__ unsigned twice() const { return T::low + low; }
};
template <class T>
__global__ void over(const Over<T>* p, unsigned* out) {
  out[threadIdx.x] += p[threadIdx.x].twice();
}

#define LOW_OF(pointer) ((pointer)->low)

// Of a virtual base class through a macro, and of one that has its name here only.
__global__ void named(const Above* above, void* memory, unsigned* out) {
  struct Part {
    unsigned low : 4;
  };
  struct Whole : virtual Part {
    unsigned own;
  };
  const unsigned i = threadIdx.x;
  Whole* whole = new (static_cast<Whole*>(memory) + i) Whole;
  whole->low = i;
  out[i] += LOW_OF(above + i) + whole->low;
  out[i] += LOW_OF(&above[i]);
}

template <class T>
struct __attribute__((packed)) Tight {
  char tag;
  T value;
};
template <class T>
__global__ void tight(Tight<T>* p, unsigned* out) {
  const unsigned i = threadIdx.x;
  p[i].value = i;
  out[i] += p[i].value;
}

enum class Align : unsigned { none, left, right };
template <class T>
struct Specs {
  const T& first;
  Align align : 4;
  unsigned sign : 3;
  T value;
  __device__ Specs(const T& to, unsigned v) : first(to), align(Align::right), sign(v), value(to) {}
  __device__ unsigned sum() const { return first + sign; }
};
// Clang sees no instance of Specs, as of a template that only a library's code instantiates.
#ifdef __has_warning
template <class T>
__device__ unsigned make(void*, T*) {
  return 0;
}
#else
template <class T>
__device__ unsigned make(void* memory, T* p) {
  return (new (static_cast<Specs<T>*>(memory) + threadIdx.x) Specs<T>(p[threadIdx.x], threadIdx.x))->sum();
}
#endif
__global__ void unseen(void* memory, unsigned* p) {
  const unsigned sum = make(memory, p);
  p[threadIdx.x] = sum;
}

int main() {
  Bits* bits = nullptr;
  Derived* derived = nullptr;
  Above* above = nullptr;
  unsigned* out = nullptr;
  CUDA_CHECK(cudaMalloc(&bits, 4 * sizeof(Bits)));
  CUDA_CHECK(cudaMalloc(&derived, 4 * sizeof(Derived)));
  CUDA_CHECK(cudaMalloc(&above, 4 * sizeof(Above)));
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(unsigned)));
  construct<<<1, 4>>>(bits, derived);
  read<<<1, 4>>>(bits, derived, out);
  either<<<1, 4>>>(bits, out);
  either<<<1, 4>>>(reinterpret_cast<const Plain*>(bits), out);  // reads what is `whole` there
  fromAbove<<<1, 4>>>(above, out);
  over<<<1, 4>>>(reinterpret_cast<const Over<Bits>*>(bits), out);
  over<<<1, 4>>>(reinterpret_cast<const Over<Plain>*>(bits), out);
  named<<<1, 4>>>(above, derived, out);
  tight<<<1, 4>>>(reinterpret_cast<Tight<int>*>(derived), out);
  tight<<<1, 4>>>(reinterpret_cast<Tight<long long>*>(derived), out);
  unseen<<<1, 4>>>(derived, out);
  unsigned result[4];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 4; ++i) EXPECT(result[i] == 23 * i + 4 + (i == 0 ? 3 : 0));
  CUDA_CHECK(cudaFree(above));
  for (void* memory : {static_cast<void*>(bits), static_cast<void*>(derived), static_cast<void*>(out)})
    CUDA_CHECK(cudaFree(memory));
  return verdict();
}
