// Templates that the toolkit declares for each side, named without a call: to nvcc they are one, and nothing is ambiguous.
// expect: auto allocate = cudaMalloc<int>;
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, q[0]);
// expect: CUI_API(#, cudaFree)(p);
// expect: CUI_API(#, cudaMalloc)(&p, 4);
// expect-not: Clang
#include <functional>
template <class F> int* call(F function) {
  int* p = nullptr;
  function(&p, 4);
  return p;
}
__global__ void copy(int* p, const int* q) { p[0] = q[0]; }
void run() {
  auto allocate = cudaMalloc<int>;
  cudaError_t (*chosen)(int**, size_t) = cudaMalloc;
  std::function<cudaError_t(int**, size_t)> held = cudaMalloc<int>;
  int* p = call(allocate);
  cudaFree(p);
  cudaMalloc(&p, 4);
  copy<<<1, 1>>>(p, call(held));
  cudaFree(p);
  cudaFree(call(chosen));
  cudaFree(call(cudaMalloc<int>));
}
