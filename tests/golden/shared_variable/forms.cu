// Shared variables of the rarer forms: alignas, two dimensions of unknown and known size, an alias, `__device__` beside it. On an anonymous union nvcc
// ignores the attribute (warning 1866): it is the thread's own.
// expect: number = CUI_ACCESS(#, a[0]);
// expect-not: "number"
// expect: alignas(16) __shared__ float aligned[4]; CUI_SHARED(#, aligned);
// expect: extern __shared__ float rows[][16] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, rows);
// expect: __device__ __shared__ float both[4]; CUI_SHARED(#, both);
// expect: CUI_ACCESS(#, both[0]) = CUI_ACCESS(#, a[0]);
// expect: CUI_ACCESS(#, alias[1]) = bits;
// expect: CUI_ACCESS(#, rows[1][threadIdx.x])
__global__ void forms(float* a) {
  __shared__ union {
    float number;
    int bits;
  };
  alignas(16) __shared__ float aligned[4];
  extern __shared__ float rows[][16];
  __device__ __shared__ float both[4];
  both[0] = a[0];
  float* alias = aligned;
  number = a[0];
  alias[1] = bits;
  a[1] = rows[1][threadIdx.x] + aligned[1];
}
