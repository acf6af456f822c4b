// Pointers and references into shared memory are generic accesses with the shared array as origin unknown.
// expect: float* p = &tile[4];
// expect: float* q = tile;
// expect: CUI_ACCESS(#, p[i]) = CUI_ACCESS(#, *q);
__global__ void pointerInto(float* out) {
  __shared__ float tile[32];
  int i = threadIdx.x;
  float* p = &tile[4];
  float* q = tile;
  p[i] = *q;
  out[i] = tile[i];
}
