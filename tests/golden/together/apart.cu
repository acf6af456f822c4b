// What must be recorded where it is made: places that take a load, a call or a side effect to compute, accesses that
// are not always made, code in between that may make accesses or wait. Before an access that stays, only loads
// are recorded.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[CUI_ACCESS(#, index[i])]);
// expect: (#, index[i], #, in[i]), CUI_ACCESS(#, out[index[i]]) = in[i]);
// expect: CUI_ACCESS(#, out[i]) = i ? CUI_ACCESS(#, in[i]) : CUI_ACCESS(#, in[0]);
// expect: (CUI_ACCESS(#, in[i]) > 0 && CUI_ACCESS(#, in[1]) > 0)
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[n++]);
// expect: CUI_ACCESS(#, out[i]) = wait(CUI_ACCESS(#, in[i]));
// expect: CUI_ACCESS(#, out[at(i)]) = CUI_ACCESS(#, in[i]);
// expect: CUI_ACCESS(#, out[i]) = CUI_BARRIER_VALUE(__syncthreads_or(CUI_ACCESS(#, index[i])));
// expect: CUI_ACCESS(#, out[i]) = (n = 2, CUI_ACCESS(#, in[n]));
// expect: CUI_ACCESS(#, out[v]) = CUI_ACCESS(#, in[i]);
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[CUI_ACCESS(#, step)]);
// expect: (#, global, #, in[i]), CUI_ACCESS(#, global[i]) = in[i]);
// expect: return CUI_ACCESS(#, p[i]);
// expect-not: CUI_TOGETHER((#, out
// expect-not: , (#, out
#define SUM(a, b) ((a) + (b))
__device__ int step;
__device__ float* global;
__device__ float wait(float x) { __syncthreads(); return x; }
__device__ int at(int i) { return 2 * i; }
__device__ float& one(float* p, int i) { return p[i]; }
__device__ void apart(float* out, const float* in, const int* index) {
  int i = threadIdx.x, n = 1;
  volatile int v = 1;
  out[i] = in[index[i]];
  out[index[i]] = in[i];
  out[i] = i ? in[i] : in[0];
  if (in[i] > 0 && in[1] > 0) ++n;
  out[i] = in[n++];
  out[i] = wait(in[i]);
  out[at(i)] = in[i];
  out[i] = __syncthreads_or(index[i]);
  out[i] = (n = 2, in[n]);
  out[v] = in[i];
  out[i] = in[step];
  global[i] = in[i];
  one(out, 1) = SUM(in[i], in[2]);
  auto f = [=](int k) { return in[k] + in[i]; };
  out[f(2) > 0] = 1;
}
__device__ float value(const float* p, int i) { return p[i]; }
