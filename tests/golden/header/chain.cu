// A header that changes is reached through two that have nothing but an #include, and directly: all ways must lead to the
// rewritten one, or it is there twice.
// expect: #include "<out>/chain.cu.d<dir>//detail/chain_outer.h"
// expect: #include "<out>/chain.cu.d<dir>//detail/chain_inner.h"
// expect: CUI_ACCESS(#, p[1]) = firstOf(p);
#include "detail/chain_outer.h"
#include "detail/chain_inner.h"
__global__ void chained(int* p) { p[1] = firstOf(p); }
