// Operands that are not evaluated, addresses and constants are no accesses.
// expect: sizeof(a[0])
// expect: decltype(a[0])
// expect: noexcept(a[0])
// expect: int* p = &a[i];
// expect: int* q = &a[CUI_ACCESS(#, b[i])];
// expect: fill(&p[1], a + i, &(a[2]));
// expect-not: CUI_ACCESS(#, a
__device__ void fill(int*, int*, int*) {}
__global__ void unevaluated(int* a, int* b) {
  int i = threadIdx.x;
  int n = sizeof(a[0]) + alignof(decltype(a[0])) + noexcept(a[0]);
  int* p = &a[i];
  int* q = &a[b[i]];
  fill(&p[1], a + i, &(a[2]));
  *q = n;
}
