// Operators and intrinsics of the toolkit's numbers are functions that do nothing else, like the built-in ones' operators.
// expect: (#, a[i], #, b[i], #, c[i]), c[i] = alpha * a[i] + b[i]);
// expect: (#, a[i], #, b[i]), a[i] * b[i]);
// expect: (#, f[i], #, c[i + 1]), c[i + 1] = f[i]);
// expect: (#, a[i], #, b[i], #, f[i]), f[i] = __half2float(__hadd(a[i], b[i])));
// expect: const half e{CUI_SAME_ROW(
// expect: (#, f[0], #, f[1], #, v[i]), v[i] = make_float2(f[0], f[1]));
// expect: (#, f[2], #, f[3], #, v[i]), v[i] = {f[2], f[3]});
// expect: return CUI_TOGETHER((#, p[0], #, p[1]), p[0] + p[1]);
// expect: (#, a[i], #, c[i], #, c[i]), c[i] = a[i] + beta * c[i]);
#include <cuda_bf16.h>
#include <cuda_fp16.h>
__global__ void mixed(half* c, const half* a, const half* b, half alpha, float* f, float2* v) {
  const int i = threadIdx.x;
  c[i] = alpha * a[i] + b[i];
  const half d = a[i] * b[i];
  c[i + 1] = f[i];
  f[i] = __half2float(__hadd(a[i], b[i]));
  const half e{a[i] * b[i]};
  v[i] = make_float2(f[0], f[1]);
  v[i] = {f[2], f[3]};
  if (i == 0) c[2] = d + e;
}
__device__ half2 sum(const half2* p) { return p[0] + p[1]; }
__global__ void pairs(const half2* p, half2* q) { *q = sum(p); }
template <class T>
__global__ void scaled(T* c, const T* a, T beta) {
  const int i = threadIdx.x;
  c[i] = a[i] + beta * c[i];
}
template __global__ void scaled(half*, const half*, half);
template __global__ void scaled(float*, const float*, float);
template __global__ void scaled(__nv_bfloat16*, const __nv_bfloat16*, __nv_bfloat16);
