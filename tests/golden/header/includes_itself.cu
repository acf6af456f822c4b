// A source that includes itself, by the macro for its name and by its name: the copy that is included is the rewritten one,
// without what is in front of it and behind it.
// expect: #include CUI_INCLUDE(
// expect: CUI_ACCESS(#, p[1]) = CUI_ACCESS(#, p[N]);
#ifndef N
#define N 2
__global__ void two(int* p) {
#include __FILE__
}
#undef N
#define N 3
__global__ void three(int* p) {
#include "includes_itself.cu"
}
#undef N
#else
  p[1] = p[N];
#endif
