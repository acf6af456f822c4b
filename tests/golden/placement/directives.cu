// A directive inside an expression: a macro argument cannot hold it, so the access is skipped with the reason;
// one beside it does not matter.
// expect: a preprocessor directive is inside the expression
// expect: CUI_ACCESS(#, a[0]) = 1
#define WIDE
__global__ void directives(int* a) {
  int i = threadIdx.x;
  a[
#ifdef WIDE
      i * 2
#else
      i
#endif
  ] = 0;
  a[0] = 1
#ifdef WIDE
      + i
#endif
      ;
#if 0
  a[don't] = "unterminated
#endif
}
#undef WIDE
