// A header that changes has two names, one of them through a link (linked -> detail): in the mirror, too, they are one file.
// expect: #include "<out>/linked.cu.d<dir>//detail/two_names.h"
// expect: #include "<out>/linked.cu.d<dir>//linked/two_names.h"
#include "detail/two_names.h"
#include "linked/two_names.h"
__global__ void linked(int* p) { p[0] = lastOf(p); }
