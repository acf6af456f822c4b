// Function templates that are declared without `static` and defined with it, as a header and a source do: Clang refuses that, nvcc and GCC do not.
// expect: p[0]) = CUI_ACCESS(#, p[1]);
// expect: CUI_LAUNCH(#, copy CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(n)CUI_LAUNCH_CLOSE(>>>)(p));
// expect: CUI_API(#, cudaMemset)(p, 0, n)
// expect: return CUI_ACCESS(#, *p);
// expect-not: skipped
template <class T>
__global__ void copy(T* p);
template <bool Clears>
cudaError_t run(int* p, int n);
template <class T>
__device__ T first(const T* p);

template <class T>
static __device__ T first(const T* p) {
  return *p;
}
template <class T>
static __global__ void copy(T* p) {
  p[0] = p[1];
  first(p);
}
template <bool Clears> static cudaError_t run(int* p, int n) {
  copy<<<1, n>>>(p);
  return Clears ? cudaMemset(p, 0, n) : cudaSuccess;
}

cudaError_t all(int* p) { return run<true>(p, 4); }
