// Barriers of a block say on a GPU that they have been passed; what stands in their arguments comes before.
// expect: CUI_BARRIER(__syncthreads());
// expect: if (CUI_BARRIER_VALUE(__syncthreads_or(CUI_ACCESS(#, in[threadIdx.x]) > 0)))
// expect: sum(CUI_BARRIER_VALUE(__syncthreads_count(1))), sum(CUI_BARRIER_VALUE(__syncthreads_and(1)));
// expect: #define MEET CUI_BARRIER(__syncthreads())
// expect: else CUI_BARRIER(__syncthreads());
// expect-not: CUI_BARRIER(__syncwarp
__device__ void sum(int) {}
#define MEET __syncthreads()
template <class T>
__global__ void block(const T* in, T* out) {
  __syncthreads();
  if (__syncthreads_or(in[threadIdx.x] > 0))
    sum(__syncthreads_count(1)), sum(__syncthreads_and(1));
  else __syncthreads();
  __syncwarp();
  MEET;
  out[threadIdx.x] = in[0];
}
void launch(const int* in, int* out) { block<<<1, 32>>>(in, out); }
