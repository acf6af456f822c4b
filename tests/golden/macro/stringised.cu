// An argument whose text the body also makes a string of must keep that text: the access is skipped, with
// the reason.
// expect: VERIFY(a[i] > 0);
// expect: stringised
// expect: CUI_ACCESS(#, a[i]) = 1;
#include <cstdio>
#define VERIFY(condition) do { if (!(condition)) printf("%s\n", #condition); } while (0)
__global__ void stringised(int* a) {
  int i = threadIdx.x;
  VERIFY(a[i] > 0);
  a[i] = 1;
}
#undef VERIFY
