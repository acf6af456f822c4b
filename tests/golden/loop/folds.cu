// A loop that ends with a fold expression, and what is in a pack's expansion within a loop: nothing is said
// in front of it.
// standard: 17 20
// expect: s += (CUI_BY_ROW_IN_LOOP(((k), ()), (#, a[k + I]), a[k + I]) + ...);
// expect: a[k]) + ... + CUI_BY_ROW_IN_LOOP(((k), ()), (#, a[k + I]), a[k + I]));
// expect: a[k + I]) + ... + 1.0f);
// expect: s += CUI_BY_ROW_IN_LOOP(((k), ()), (#, a[k]), a[k]) * (1 + ... + I);
// expect: s += fmaxf(CUI_BY_ROW_IN_LOOP(((k), ()), (#, a[k + I]), a[k + I])..., s);
// expect: float t[] = {CUI_BY_ROW_IN_LOOP(((k), ()), (#, a[k * I]), a[k * I])...};
// expect-not: CUI_LOOP
// expect-not: CUI_FIXED_LOOP
template <int... I>
__global__ void sums(float* out, const float* a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) s += (a[k + I] + ...);
  for (int k = 0; k < n; ++k) s += (a[k] + ... + a[k + I]);
  for (int k = 0; k < n; ++k) s += (a[k + I] + ... + 1.0f);
  out[threadIdx.x] = s;
}
template <int... I>
__global__ void factors(float* out, const float* a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) s += a[k] * (1 + ... + I);
  out[threadIdx.x] = s;
}
template <int... I>
__global__ void calls(float* out, const float* a, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) s += fmaxf(a[k + I]..., s);
  for (int k = 0; k < 4; ++k) {
    float t[] = {a[k * I]...};
    s += t[0];
  }
  out[threadIdx.x] = s;
}
void run(float* x) {
  sums<1><<<1, 32>>>(x, x, 4);
  sums<1, 2><<<1, 32>>>(x, x, 4);
  factors<><<<1, 32>>>(x, x, 4);
  calls<1><<<1, 32>>>(x, x, 4);
}
