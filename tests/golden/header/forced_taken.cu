// The same where the compiler's line can do without -include: the output includes those headers itself, behind our own, in their
// order; what has nothing to instrument, too.
// rewrite: --take-includes=/dev/null
// compile: -include detail/settings.h -include detail/forced.h -include stdlib.h
// nvcc: no, all cases of a standard are one file there
// cpu: no, the line would include them as well
// expect: return CUI_ACCESS(#, p[3]);
// expect: return CUI_ACCESS(#, p[4]);
// expect: CUI_ACCESS(#, p[0]) = fourthOf(p) + fifthOf(p) + setting + EXIT_SUCCESS;
// expect-not: skipped
#include "detail/forced.h"
#include "detail/forced_part.h"
__global__ void run(int* p) { p[0] = fourthOf(p) + fifthOf(p) + setting + EXIT_SUCCESS; }
