// Shared arrays of lambdas for both sides, in whose form for the host a macro makes ordinary ones of them.
// nvcc: no, its lambdas need a flag (integration.nvcc has them)
// expect: BLOCK_SHARED float tile[N]; CUI_SHARED(#, tile);
// expect: CUI_ACCESS(#, tile[i]) = CUI_ACCESS(#, p[i]);
#ifdef __CUDA_ARCH__
#define BLOCK_SHARED __shared__
#define BLOCK_WAIT __syncthreads()
#else
#define BLOCK_SHARED
#define BLOCK_WAIT
#endif
template <class F>
__global__ void callEach(F f) {
  f(int(threadIdx.x));
}
template <int N>
void reverse(float* p) {
  auto reverseOne = [=] __host__ __device__(int i) {
    BLOCK_SHARED float tile[N];
    tile[i] = p[i];
    BLOCK_WAIT;
    p[i] = tile[N - 1 - i];
  };
  callEach<<<1, N>>>(reverseOne);
}
void reverseAll(float* p) { reverse<32>(p); }
