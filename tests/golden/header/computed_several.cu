// One directive includes two files, by a macro's name: neither can be led to, and their accesses say so.
// expect: #include "<dir>//detail/computed_step.h"
// expect-not: CUI_INCLUDE
// expect: skipped, 4, 0, "oneOf", "p[0]", "p", "0", "int", "", "", "one of several files that an #include names by a macro"
// expect: skipped, 4, 0, "twoOf", "p[1]", "p", "1", "int", "", "", "one of several files that an #include names by a macro"
#define STEP "computed_one.inc"
#include "detail/computed_step.h"
#undef STEP
#define STEP "computed_two.inc"
#include "detail/computed_step.h"
__global__ void run(int* p) { p[2] = oneOf(p) + twoOf(p); }
