// A header of the user's called cuda.h, in a folder of -I: the toolkit's own headers do not take it for theirs.
// compile: -I toolkit_name
// nvcc: no, it needs -I
// expect: CUI_ACCESS(#, *place(CUI_ACCESS(#, p[0]), 1)) = 0;
#include "toolkit_name/cuda.h"
__global__ void clear(float** p) {
  *place(p[0], 1) = 0;
}
