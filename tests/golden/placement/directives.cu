// Directives inside an expression: GCC and Clang obey an #if in a macro's argument, so it is wrapped; with any
// other, or with a half of one, the access is skipped with the reason. One beside the expression does not matter.
// expect: a preprocessor directive is inside the expression
// expect: CUI_ACCESS(#, a[0]) = 1
// expect: CUI_ACCESS(#, a[
// expect: CUI_LAUNCH(#, directives CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(a
// expect-not: "launch", "directives<<<>>>"
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
  a[
#define HERE 3
      HERE] = 0;
#ifdef WIDE
  a[i
#else
  a[2 * i
#endif
    + 1] = 2;
  a[0] = 1
#ifdef WIDE
      + i
#endif
      ;
#if 0
  a[don't] = "unterminated
#endif
}
void launch(int* a) {
  directives<<<1, 32>>>(a
#ifdef WIDE
                        + 64  // it's the wide one
#else
                        + 32
#endif
  );
  directives<<<
#ifndef WIDE
      1,
#else
      2,
#endif
      32>>>(a);
}
#undef WIDE
#undef HERE
