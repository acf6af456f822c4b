// Parameters that point to what nobody writes to meanwhile, as nvcc takes it: const and restrict. Its PTX is to
// say so, since the recorder gets such addresses too. Not of members, of what may change by itself, of any
// number of parameters, and of kernels from a macro's text only where it holds for all of them.
// expect: CUI_KERNEL(0); CUI_READ_ONLY(0); CUI_READ_ONLY(3);
// expect: CUI_KERNEL(1); CUI_READ_ONLY(1);
// expect: CUI_KERNEL(2); /* packs */
// expect: { CUI_KERNEL(CUI_LINE(#)); of = of + n; }
// expect-not: CUI_READ_ONLY(2);
struct Arrays {
  const float* __restrict__ in;
};
using Weights = const float* __restrict__;

__global__ void scale(const float* __restrict__ in, float* __restrict__ out, const float* bias, Weights weights,
                      const volatile float* __restrict__ flags, Arrays arrays) {
  out[threadIdx.x] = in[threadIdx.x] * weights[0] + bias[0] + flags[0] + arrays.in[0];
}

template <class T, class U>
__global__ void convert(T* __restrict__ to, const U* __restrict__ from) {
  to[threadIdx.x] = static_cast<T>(from[threadIdx.x]);
}

template <class... Pointers>
__global__ void sum(Pointers... pointers, float* __restrict__ out, const float* __restrict__ in) { /* packs */
  out[0] = in[0];
}

#define KERNEL(name, type) \
  __global__ void name(type* __restrict__ of, int n) { of = of + n; }
KERNEL(forward, float)
KERNEL(backward, const float)

void run(float* a) {
  scale<<<1, 32>>>(a, a, a, a, a, Arrays{a});
  convert<<<1, 32>>>(a, a);
}
