// Loads and stores with cache hints: the pointer operand is the access.
// expect: float x = __ldg(CUI_POINTER(#, a + i)) + __ldg(CUI_POINTER(#, &a[CUI_ACCESS(#, index[i])]));
// expect: __stcs(CUI_POINTER(#, out + i), x + __ldcs(CUI_POINTER(#, a + i)));
// expect: load, generic, instrumented, 4, 0, "cacheHints", "__ldg(a + i)", "a", "i"
__global__ void cacheHints(const float* a, const int* index, float* out) {
  int i = threadIdx.x;
  float x = __ldg(a + i) + __ldg(&a[index[i]]);
  __stcs(out + i, x + __ldcs(a + i));
}
