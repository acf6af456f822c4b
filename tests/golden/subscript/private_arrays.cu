// Arrays of one thread are registers or local memory: no access, unless asked for. The pointer that hides
// one may point anywhere.
// expect: float r[4] = {0, 0, 0, 0};
// expect: r[i] += CUI_ACCESS(#, a[i]);
// expect: CUI_ACCESS(#, a[0]) = r[0] + CUI_ACCESS(#, p[1]);
__global__ void privateArrays(float* a) {
  float r[4] = {0, 0, 0, 0};
  float* p = r;
  for (int i = 0; i < 4; ++i) r[i] += a[i];
  a[0] = r[0] + p[1];
}
