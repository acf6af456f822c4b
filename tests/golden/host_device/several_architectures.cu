// A line for several architectures: what only one of them has is read for it, however its condition says so. What is in
// a macro's text there, or is stored by a constructor's initialiser whose body both have, is a row.
// compile: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
// cpu: no, an option of nvcc's
// expect: x(CUI_ACCESS(#, p[0]))
// expect: CUI_ACCESS(#, p[i]) = CUI_ACCESS(#, p[i + 1]);
// expect: __shared__ float old[32]; CUI_SHARED(0, old);
// expect: CUI_ACCESS(#, old[i]) = CUI_ACCESS(#, q[i]);
// expect: CUI_BARRIER(__syncthreads());
// expect: AT(i) = 3;
// expect: atomicAdd(CUI_POINTER(#, &p[2]), 1);
// expect: + q[1]
// expect: + CUI_ACCESS(#, q[2])
// expect: + CUI_ACCESS(#, q[3])
// expect: p[99] = 9;
// expect: "in a macro's text, for code that only some of the architectures have"
// expect: "partly in text that only some of the architectures have"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define FAST 1
#endif
#define AT(i) p[i]
struct Pair {
  int x;
  __device__ Pair(int* p)
#ifndef FAST
      : x(p[0])
#endif
  {
  }
};
__global__ void architectures(int* p, float* q, int n) {
  int i = threadIdx.x;
#ifdef FAST
  p[i] = p[i + 1];
#else
  __shared__ float old[32];
  old[i] = q[i];
  __syncthreads();
  for (int j = 0; j < n; ++j)
    q[i] += old[j];
  AT(i) = 3;
  atomicAdd(&p[2], 1);
#endif
  p[3 + i] = q[0]
#if __CUDA_ARCH__ < 700
    + q[1]
#elif __CUDA_ARCH__ < 800
    + q[2]
#else
    + q[3]
#endif
    ;
#if __CUDA_ARCH__ == 990
  p[99] = 9;
#endif
}
#undef FAST
#undef AT
