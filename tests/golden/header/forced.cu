// What the command line includes comes before our forms: it is left alone, also where the source names it again.
// compile: -include detail/forced.h
// nvcc: no, all cases of a standard are one file there
// cpu: no, nothing includes CUDA's headers in front of it there
// expect: CUI_ACCESS(#, p[0]) = fourthOf(p) + fifthOf(p);
// expect: skipped, 4, 0, "fourthOf", "p[3]", "p", "3", "int", "", "", "in a header that the command line includes (-include)"
// expect: skipped, 4, 0, "fifthOf", "p[4]", "p", "4", "int", "", "", "in a header that the command line includes (-include)"
#include "detail/forced.h"
#include "detail/forced_part.h"
__global__ void run(int* p) { p[0] = fourthOf(p) + fifthOf(p); }
