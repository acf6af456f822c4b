// Kernels with C linkage (also where their macro touches the literal), internal linkage, in an unnamed namespace, and with default arguments; device
// functions around them.
// expect: extern "C" __global__ void CUI_LAUNCH_BOUNDS exported(int* a) { CUI_KERNEL(#); CUI_ACCESS(#, a[0]) = 1; }
// expect: extern "C"__global__ void CUI_LAUNCH_BOUNDS touched(int* a) { CUI_KERNEL(#); CUI_ACCESS(#, a[5]) = 1; }
// expect: static __global__ void CUI_LAUNCH_BOUNDS internal(int* __restrict__ a, const int n = 3) { CUI_KERNEL(#);
// expect: CUI_KERNEL_ENTRY("(anonymous namespace)::unnamed",
extern "C" __global__ void exported(int* a) { a[0] = 1; }
extern "C"__global__ void touched(int* a) { a[5] = 1; }
static __global__ void internal(int* __restrict__ a, const int n = 3) { a[n] = 1; }
namespace {
__global__ void unnamed(int* a) { a[2] = 1; }
}
extern "C" {
__device__ int helper(int* a) { return a[4]; }
}
void launch(int* a) {
  exported<<<1, 1>>>(a);
  touched<<<1, 1>>>(a);
  internal<<<1, 1>>>(a);
  unnamed<<<1, 1>>>(a);
}
