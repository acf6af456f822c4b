// With --values, scalar loads and plain stores also hand over the value; everything else stays as it is.
// rewrite: --values
// expect: CUI_STORE(#, a[i]) = CUI_LOAD(#, b[i]);
// expect: (#, a[i]), a[i]) += 1;
__global__ void values(float* a, const float* b) {
  int i = threadIdx.x;
  a[i] = b[i];
  a[i] += 1;
}
