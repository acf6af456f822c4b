// An element passed to a library function by reference or value.
// expect: CUI_ACCESS(#, a[i]) = fmaxf(CUI_ACCESS(#, a[i]), 0.0f) + max(CUI_ACCESS(#, b[i]), 1);
__global__ void systemReferences(float* a, int* b) {
  int i = threadIdx.x;
  a[i] = fmaxf(a[i], 0.0f) + max(b[i], 1);
  float s;
  sincosf(a[i], &s, &a[i + 1]);
  a[i] = s;
}
