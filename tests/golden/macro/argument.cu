// An access in a macro's argument is wrapped where it is written, if the body uses it as code.
// expect: int x = SQUARE(CUI_ACCESS(#, a[i]));
// expect: CUI_ACCESS(#, a[i + 1]) = PLUS_ONE(CUI_ACCESS(#, a[i]));
#define SQUARE(x) ((x) * (x))
#define PLUS_ONE(x) (x + 1)
__global__ void argument(int* a) {
  int i = threadIdx.x;
  int x = SQUARE(a[i]);
  a[i + 1] = PLUS_ONE(a[i]);
  a[i] = x;
}
#undef SQUARE
#undef PLUS_ONE
