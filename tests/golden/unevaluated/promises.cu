// What a program promises is not evaluated.
// expect: __builtin_assume(a[i] > 0 && b[a[1]] == 2);
// expect: PROMISE(*b == 3)
// expect: CUI_ACCESS(#, a[i]) = CUI_ACCESS(#, b[1]);
// expect-not: CUI_ACCESS(#, a[1])
// expect-not: CUI_ACCESS(#, *b)
#define PROMISE(what) __builtin_assume(what)
__global__ void promises(int* a, int* b) {
  int i = threadIdx.x;
  __builtin_assume(a[i] > 0 && b[a[1]] == 2);
  PROMISE(*b == 3);
  a[i] = b[1];
}
