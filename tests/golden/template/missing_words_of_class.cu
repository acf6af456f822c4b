// A member template of a class template without the word `template`, as nvcc takes it: Clang sees with an instantiation only that this is no comparison, and then has no instance of the kernel.
// cpu: no, GCC wants it
// expect: Sums<N, 4>::dispatch<N>(shared, values, threadIdx.x);
// expect: Sums<(N > 1 ? 2 : 1), 4>::dispatch<2>(shared, values, threadIdx.x);
// expect: CUI_ACCESS(#, out[0])
// expect-not: skipped
template <int Threads, int Count>
struct Sums {
  template <int First>
  static __device__ void dispatch(float* shared, float (&values)[Count], int lane) {
    shared[lane] = values[0] * First * Threads;
  }
};
template <int N>
__global__ void k(float* out) {
  __shared__ float shared[64];
  float values[4] = {out[0]};
  Sums<N, 4>::dispatch<N>(shared, values, threadIdx.x);
  Sums<(N > 1 ? 2 : 1), 4>::dispatch<2>(shared, values, threadIdx.x);
  out[threadIdx.x] = shared[0];
}
void run(float* out) { k<2><<<1, 32>>>(out); }
