// The same arrays with --local-arrays.
// rewrite: --local-arrays
// expect: CUI_ACCESS(#, r[i]) += CUI_ACCESS(#, a[i]);
// expect: rmw, local, instrumented, 4, 1, "localArrays", "r[i]"
__global__ void localArrays(float* a) {
  float r[4] = {0, 0, 0, 0};
  for (int i = 0; i < 4; ++i) r[i] += a[i];
  a[0] = r[0];
}
