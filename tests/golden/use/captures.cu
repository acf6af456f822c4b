// What a lambda's capture names must stay a name: by reference nothing is accessed, a copy of what a reference names is
// an access that cannot be wrapped; in an initialiser it can.
// standard: 14 17 20
// expect: apply([&c](auto const& x) { return CUI_ACCESS(#, c) * CUI_ACCESS(#, x); });
// expect: apply([&c, d](int x) { return CUI_ACCESS(#, c) * x + CUI_ACCESS(#, d); });
// expect: apply([e = CUI_ACCESS(#, c), &f = d](int x) { return e * x + CUI_ACCESS(#, f); });
// expect: apply([c](int x) { return CUI_ACCESS(#, c) * x; });
// expect: load, generic, skipped, 4, 0, "capturesInATemplate", "d",
// expect: load, generic, skipped, 4, 0, "capturesPlainly", "c",
template <class F>
__host__ __device__ float apply(F f) { return f(1); }
template <class T>
__global__ void capturesInATemplate(T* p, int n) {
  T& c = p[0];
  auto const& d = p[n];
  p[1] = apply([&c](auto const& x) { return c * x; });
  p[2] = apply([&c, d](int x) { return c * x + d; });
  p[3] = apply([e = c, &f = d](int x) { return e * x + f; });
}
template <class C>
__host__ __device__ auto neverInstantiated(C const& c, float const* p) {
  return apply([&c](int x) { return apply([&c, x](auto y) { return c[x] * y; }); });
}
__global__ void capturesPlainly(float* p) {
  float& c = p[0];
  p[1] = apply([c](int x) { return c * x; });
}
void launchCaptures(float* p) { capturesInATemplate<<<1, 1>>>(p, 1); }
