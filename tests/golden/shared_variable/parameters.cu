// On a parameter nvcc ignores __shared__, __constant__ and __device__, with a warning: it is the thread's own, and was taken for
// memory.
// cpu: no, GCC refuses a storage class there
// expect: CUI_ACCESS(#, s[i]) += CUI_ACCESS(#, s[i + 1]);
// expect: return CUI_ACCESS(#, s[CUI_ACCESS(#, r)]);
// expect: return CUI_ACCESS(#, t[i]);
// expect: store, shared, instrumented, 4, 0, "kernel", "own[threadIdx.x]",
__device__ void atomic(volatile __shared__ float* s, int i) { s[i] += s[i + 1]; }
__device__ float read(__shared__ float s[32], __shared__ int& r) { return s[r]; }
__device__ float constant(__constant__ float* t, __device__ int i) { return t[i]; }
__constant__ float table[4];
__global__ void kernel(float* out) {
  __shared__ float own[64];
  __shared__ int q;
  own[threadIdx.x] = 1;
  q = 3;
  __syncthreads();
  atomic(own, threadIdx.x);
  out[threadIdx.x] = read(own, q) + constant(table, 1);
}
