// Operands of ?:, comma (the discarded one is no load), &&, calls and return statements.
// expect: int x = c ? CUI_ACCESS(#, a[i]) : CUI_ACCESS(#, b[i]);
// expect: (c ? CUI_ACCESS(#, a[i]) : CUI_ACCESS(#, b[i])) = x;
// expect: x = (a[i], CUI_ACCESS(#, b[i]));
// expect: if (i > 0 && CUI_ACCESS(#, a[i - 1]) == 0 || !CUI_ACCESS(#, b[i]))
// expect: return twice(CUI_ACCESS(#, a[i]));
__device__ int twice(int x) { return 2 * x; }
__device__ int operators(int* a, int* b, bool c) {
  int i = threadIdx.x;
  int x = c ? a[i] : b[i];
  (c ? a[i] : b[i]) = x;
  x = (a[i], b[i]);
  if (i > 0 && a[i - 1] == 0 || !b[i]) return -1;
  for (; a[i]; ++i) x += b[i];
  switch (a[i]) {
    case 0: b[i] = x; break;
    default: do b[i] -= 1; while (b[i]);
  }
  return twice(a[i]);
}
__global__ void run(int* a, int* b) { a[0] = operators(a, b, true); }
