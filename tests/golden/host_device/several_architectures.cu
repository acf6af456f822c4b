// A line for several architectures: what only one of them has is read for it, however its condition says so; accesses in
// macros' texts as well, unless the last one's code edits the macro's uses. What a constructor's initialiser stores whose
// body both have is a row.
// compile: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90
// cpu: no, an option of nvcc's
// expect: x(CUI_ACCESS(#, p[0]))
// expect: CUI_ACCESS(#, p[i]) = CUI_ACCESS(#, p[i + 1]) + BESIDE(1);
// expect: __shared__ float old[32]; CUI_SHARED(#, old);
// expect: CUI_ACCESS(#, old[i]) = CUI_ACCESS(#, q[i]);
// expect: CUI_BARRIER(__syncthreads());
// expect: #define AT(i) CUI_MACRO_ACCESS(#, p[i])
// expect: #define BESIDE(i) CUI_MACRO_ACCESS(#, p[i + 64]) + CUI_MACRO_ACCESS(#, p[i + 65])
// expect: AT(i) = 3;
// expect: #define TWICE(i) q[i]
// expect: CUI_ACCESS(#, TWICE(1)) = CUI_ACCESS(#, TWICE(2));
// expect: TWICE(3) = 4;
// expect: OTHER(i) = 2;
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
#define BESIDE(i) p[i + 64] + p[i + 65]
#define TWICE(i) q[i]
#define OTHER(i) own(i)
#ifdef FAST
__device__ inline int own(int i) { return i; }
#else
__device__ int values[32];
#define own(i) values[i]
#endif
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
  p[i] = p[i + 1] + BESIDE(1);
  TWICE(1) = TWICE(2);
  p[5] = OTHER(i);
#else
  __shared__ float old[32];
  old[i] = q[i];
  __syncthreads();
  for (int j = 0; j < n; ++j)
    q[i] += old[j];
  AT(i) = 3;
  p[6] = BESIDE(2);
  TWICE(3) = 4;
  OTHER(i) = 2;
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
#undef BESIDE
#undef TWICE
#undef OTHER
#undef own
