// A header without a guard, included twice with another meaning: each access is one site.
// expect: #include "<out>/several_times.cu.d<dir>//several_times.inc"
// expect: return CUI_ACCESS(#, p[OFFSET]);
#define NAME first
#define OFFSET 0
#include "several_times.inc"
#undef NAME
#undef OFFSET
#define NAME second
#define OFFSET 1
#include "several_times.inc"
#undef NAME
#undef OFFSET
__global__ void run(float* p) { p[2] = first(p) + second(p); }
