// Statements of a file that is included in a function's body: they go together there, but not with what follows, nor with
// themselves when it is included again.
// expect: CUI_TOGETHER((#, a[i], #, b[i]), a[i] = 1);
// expect: CUI_ACCESS(#, a[i + 1]) = 2;
__device__ void included(float* a, float* b, int i) {
#include "statements_part.h"
#include "statements_part.h"
  a[i + 1] = 2;
}
