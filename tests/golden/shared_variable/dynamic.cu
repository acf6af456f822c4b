// Dynamic shared memory: in the function, in a nested block, two-dimensional.
// expect: extern __shared__ float s[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, s);
// expect: extern __shared__ int pairs[][2] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(#, pairs);
// expect: CUI_ACCESS(#, s[i]) = CUI_ACCESS(#, out[i]);
__global__ void dynamicShared(float* out) {
  extern __shared__ float s[];
  int i = threadIdx.x;
  s[i] = out[i];
  __syncthreads();
  out[i] = s[blockDim.x - 1 - i];
}
__global__ void dynamicPairs(int* out) {
  if (out) {
    extern __shared__ int pairs[][2];
    pairs[threadIdx.x][1] = 1;
    out[threadIdx.x] = pairs[threadIdx.x][1];
  }
}
