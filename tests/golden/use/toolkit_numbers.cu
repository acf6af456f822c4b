// half2's operators take references, and half2 is copied by a constructor: an element is one access of 4 bytes all the same.
// expect: CUI_ACCESS(#, v[threadIdx.x]) = CUI_ACCESS(#, v[threadIdx.x + 32]) + CUI_ACCESS(#, v[threadIdx.x + 64]);
// expect: store, generic, instrumented, 4, 0, "sum", "v[threadIdx.x]"
// expect: load, generic, instrumented, 4, 0, "sum", "v[threadIdx.x + 32]"
// expect: CUI_ACCESS(#, v[0]) += CUI_ACCESS(#, v[1]);
// expect: rmw, generic, instrumented, 4, 0, "sum", "v[0]"
// expect: half2 own = CUI_ACCESS(#, v[2]);
// expect: load, generic, instrumented, 4, 0, "sum", "v[2]"
#include <cuda_fp16.h>
__global__ void sum(half2* v) {
  v[threadIdx.x] = v[threadIdx.x + 32] + v[threadIdx.x + 64];
  v[0] += v[1];
  half2 own = v[2];
  v[3] = own;
}
