// What a pack is expanded in names it only there: nothing of it can be said in front.
// standard: 17 20
// expect: return (CUI_ACCESS(#, *p) + ... + CUI_ACCESS(#, *q));
// expect: return (CUI_ACCESS(#, *q) + ... + CUI_ACCESS(#, *p));
// expect: return (CUI_TOGETHER((#, *q, #, *p), (*q * *p)) + ...);
// expect: return fmaxf(CUI_ACCESS(#, a[I])..., CUI_ACCESS(#, b[0]));
// expect: float one = fmaxf(CUI_ACCESS(#, a[I])..., CUI_ACCESS(#, b[2]));
// expect: CUI_ACCESS(#, b[1]) = make_float2(CUI_ACCESS(#, a[I])...);
// expect: (CUI_TOGETHER((#, a[I], #, b[I]), (b[I] = a[I])), ...);
// expect-not: CUI_TOGETHER((#, a[1], #, b[3]), b[3] = one + a[1] * (1 + ... + I));
template <class T, class... R>
__device__ auto left(const T* p, const R*... q) { return (*p + ... + *q); }
template <class T, class... R>
__device__ auto right(const T* p, const R*... q) { return (*q + ... + *p); }
template <class... R>
__device__ auto products(const float* p, const R*... q) { return ((*q * *p) + ...); }
template <int... I>
__device__ float largest(const float* a, const float* b) { return fmaxf(a[I]..., b[0]); }
template <int... I>
__device__ void store(float2* b, const float* a) { b[1] = make_float2(a[I]...); }
template <int... I>
__device__ void copy(float* b, const float* a) {
  ((b[I] = a[I]), ...);
  b[0] = sizeof...(I) + a[1];
  float one = fmaxf(a[I]..., b[2]);
  b[3] = one + a[1] * (1 + ... + I);
}
__global__ void all(float* x, float2* y) {
  x[0] = left(x, x, x) + right(x, x) + products(x, x, x) + largest<1>(x, x);
  store<2, 3>(y, x);
  copy<1>(x, x + 8);
}
