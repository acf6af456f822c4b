// Accesses whose places are made of private variables are recorded in front of the expression that makes them, in the
// order of evaluation: who is assigned to comes last.
// expect: CUI_TOGETHER((#, a[i], #, b[i], #, c[i]), c[i] = a[i] + b[i]);
// expect: CUI_TOGETHER((#, s.in[i], #, s.out[i]), s.out[i] += s.in[i]);
// expect: const float d = CUI_TOGETHER((#, a[i + 1], #, *(b + i)), a[i + 1] * *(b + i));
// expect: if (CUI_TOGETHER((#, tile[threadIdx.x], #, a[0]), tile[threadIdx.x] < a[0]))
// expect: while (CUI_TOGETHER((#, p->x, #, p[i].v[2]), p->x > p[i].v[2]))
// expect: return CUI_TOGETHER((#, a[n * width], #, tile[0]), fmaxf(a[n * width], tile[0]) + x);
// expect: (#, a[2], #, a[3]), sum = a[0] + a[1] + a[2] + a[3]));
// expect: (#, a[2], #, a[3], #, a[4]), sum = a[0] + a[1] + a[2] + a[3] + a[4]));
// expect: (#, f[i], #, g[i]), g[i] = f[i]);
// expect: for (; CUI_TOGETHER((#, a[i], #, b[i]), a[i] < b[i]); CUI_TOGETHER((#, b[0], #, a[i]), a[i] += b[0])) ++n;
// What is assigned to on the way is not in their places.
// expect: (#, part[i + 32], #, part[i]), part[i] = sum = sum + part[i + 32]);
// expect: CUI_TOGETHER((#, part[n], #, part[i]), part[i] = (sum += part[n]) * 2);
// expect: CUI_ACCESS(#, part[n]) = n = i + (CUI_ACCESS(#, part[n]) > 0);
struct Point { float x, v[3]; };
struct Arrays { const float* in; float* out; };
constexpr int width = 16;
__device__ float first(float* a, const float* b, float* c, Arrays s, Point* p, int n) {
  __shared__ float tile[32];
  const int i = threadIdx.x;
  c[i] = a[i] + b[i];
  s.out[i] += s.in[i];
  const float d = a[i + 1] * *(b + i);
  float x = d;
  if (tile[threadIdx.x] < a[0]) x = 1;
  while (p->x > p[i].v[2]) --n;
  return fmaxf(a[n * width], tile[0]) + x;
}
__global__ void more(float* a, const float* b, const float4* f, float4* g, float* out) {
  int i = threadIdx.x, n = 0;
  float sum;
  sum = a[0] + a[1] + a[2] + a[3];
  sum = a[0] + a[1] + a[2] + a[3] + a[4];
  g[i] = f[i];
  for (; a[i] < b[i]; a[i] += b[0]) ++n;
  volatile float* part = out;
  part[i] = sum = sum + part[i + 32];
  part[i] = (sum += part[n]) * 2;
  part[n] = n = i + (part[n] > 0);
  out[i] = sum;
}
