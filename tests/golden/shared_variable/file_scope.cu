// At file scope there is no statement to add: the kernels that use the variable, themselves or in what they call, say
// where it lies.
// expect: extern __shared__ float buffer[] CUI_DYNAMIC_SHARED;
// expect: __shared__ int fixed[8];
// expect: CUI_ACCESS(#, buffer[i]) = CUI_ACCESS(#, fixed[i]);
// expect: void CUI_LAUNCH_BOUNDS fileScope() { CUI_KERNEL(#); CUI_SHARED_DYNAMIC(#, ::buffer); CUI_SHARED(#, ::fixed);
// expect: void CUI_LAUNCH_BOUNDS throughCalls(int* out) { CUI_KERNEL(#); CUI_SHARED(#, ::space::inner);
// expect: void CUI_LAUNCH_BOUNDS generic(T* out) { CUI_KERNEL(#); CUI_SHARED_DYNAMIC(#, ::buffer);
// expect: void CUI_LAUNCH_BOUNDS none(int* out) { CUI_KERNEL(#);
// expect-not: CUI_SHARED(#, fixed)
// nvcc: no, its variables must be found from the global namespace
extern __shared__ float buffer[];
__shared__ int fixed[8];
namespace space {
__shared__ int inner;
struct Counter { __device__ int next() { return ++inner; } };
}
__device__ int nextOne(int depth) { return depth ? nextOne(depth - 1) : space::Counter().next(); }
__global__ void fileScope() {
  int i = threadIdx.x;
  buffer[i] = fixed[i];
}
__global__ void throughCalls(int* out) { out[0] = nextOne(2); }
template <class T>
__global__ void generic(T* out) { out[0] = buffer[0]; }
template __global__ void generic<int>(int*);
template __global__ void generic<float>(float*);
__global__ void none(int* out) { out[0] = 1; }
