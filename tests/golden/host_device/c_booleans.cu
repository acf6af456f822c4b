// What C calls `bool`, which GCC's <stdbool.h> has for C++ as well, also in a standard that is none of GNU's.
// expect: if (!within) CUI_ACCESS(#, out[threadIdx.x]) = CUI_ACCESS(#, in[threadIdx.x]);
#include <stdbool.h>
extern "C" _Bool isEmpty(const float* in);
__global__ void copy(const float* in, float* out, _Bool within) {
  if (!within) out[threadIdx.x] = in[threadIdx.x];
}
void launch(const float* in, float* out) {
  if (!isEmpty(in)) copy<<<1, 32>>>(in, out, true);
}
