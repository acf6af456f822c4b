// `p > 0` of a pointer, which nvcc takes in device code: what else the condition accesses is recorded.
// cpu: no, GCC does not take it
// expect: if (p > 0 && CUI_ACCESS(#, q[i]) > 2) CUI_ACCESS(#, p[i]) = CUI_ACCESS(#, q[i + 1]);
// expect: while (0 < q && CUI_ACCESS(#, q[n]) > 0) CUI_ACCESS(#, p[n--]) += 1;
// expect: if (p >= 0) CUI_ACCESS(#, p[0]) = 1;
// expect-not: Clang rejects
template <class T>
__device__ void first(T* p) {
  if (p >= 0) p[0] = 1;
}
__global__ void ordered(int* p, const int* q, int n) {
  const int i = threadIdx.x;
  if (p > 0 && q[i] > 2) p[i] = q[i + 1];
  while (0 < q && q[n] > 0) p[n--] += 1;
  first(p);
}
