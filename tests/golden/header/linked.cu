// A header that changes has two names, one of them through a link (linked -> detail): in the mirror, too, they are one file.
// expect: #include "<out>/linked.cu.d<dir>//detail/chain_inner.h"
// expect: #include "<out>/linked.cu.d<dir>//linked/chain_inner.h"
#include "detail/chain_inner.h"
#include "linked/chain_inner.h"
__global__ void linked(int* p) { p[1] = firstOf(p); }
