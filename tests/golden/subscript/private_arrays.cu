// Arrays of one thread are registers or local memory: no access, unless asked for. Nor is one by a pointer that
// keeps leading to them; one that changes may lead anywhere.
// expect: float r[4] = {0, 0, 0, 0};
// expect: r[i] += CUI_ACCESS(#, a[i]);
// expect: CUI_ACCESS(#, a[0]) = r[0] + p[1] + v->y + b[0];
// expect: CUI_ACCESS(#, q[2]) = 1;
__global__ void privateArrays(float* a) {
  float r[4] = {0, 0, 0, 0};
  float* p = r;
  const float4* const v = reinterpret_cast<float4*>(&r[0]);
  for (int i = 0; i < 4; ++i) r[i] += a[i];
  float* const b{reinterpret_cast<float*>(&r[1])};
  a[0] = r[0] + p[1] + v->y + b[0];
  float* q = r;
  if (a[1] > 0) q = a;
  q[2] = 1;
}
