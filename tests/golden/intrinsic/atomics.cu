// Atomics of all forms: the pointer operand is wrapped, whatever its spelling.
// expect: atomicAdd(CUI_POINTER(#, &h[CUI_ACCESS(#, b[i])]), 1);
// expect: atomicMax(CUI_POINTER(#, h + i), 2);
// expect: atomicCAS(CUI_POINTER(#, p), 0, CUI_ACCESS(#, b[i]));
// expect: atomicExch(CUI_POINTER(#, &total), 1.0f);
// expect: atomicAdd(CUI_POINTER(#, &counts[i]), 1u);
// expect: atomic, shared, instrumented
// expect: atomicSub_block(CUI_POINTER(#, p), 1);
__device__ float total;
__global__ void atomics(int* h, const int* b, int* p) {
  __shared__ unsigned counts[32];
  int i = threadIdx.x;
  counts[i] = 0;
  atomicAdd(&h[b[i]], 1);
  atomicMax(h + i, 2);
  int old = atomicCAS(p, 0, b[i]);
  atomicExch(&total, 1.0f);
  atomicAdd(&counts[i], 1u);
  atomicSub_block(p, 1);
  h[i] = old + counts[i];
}
