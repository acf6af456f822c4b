// NV_IF_TARGET hands its arguments through a dozen macros of the toolkit, some of which join something with ##: what counts is the macro
// that each of them is the argument of.
// cpu: no, the toolkit's header is for its compiler
// expect: NV_IF_TARGET(NV_IS_DEVICE, (CUI_ACCESS(#, p[0]) = 3; return CUI_ACCESS(#, p[1]);), (return 0;))
// expect: (CUI_ACCESS(#, p[2]) = 3; return CUI_ACCESS(#, p[3]);), (return p[4];))
// expect: NV_IS_DEVICE, (return CUI_ACCESS(#, p[5])++;), NV_IS_HOST, (return 0;))
#include <nv/target>
__device__ int one(int* p) {
  NV_IF_TARGET(NV_IS_DEVICE, (p[0] = 3; return p[1];), (return 0;))
}
__device__ int other(int* p) {
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_70, (p[2] = 3; return p[3];), (return p[4];))
}
__host__ __device__ int several(int* p) {
  NV_DISPATCH_TARGET(NV_IS_DEVICE, (return p[5]++;), NV_IS_HOST, (return 0;))
}
__global__ void run(int* p) { p[6] = one(p) + other(p) + several(p); }
