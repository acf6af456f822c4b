// Calls whose template arguments are written out, also in templates and behind `::`.
// expect: CUI_API(#, cudaMallocPitch)<T>(p, pitch, n, n);
// expect: CUI_API(#, cudaMalloc)<T>(p, n);
// expect: ::CUI_GLOBAL_API(#, cudaMallocHost)<T>(p, n);
// expect: CUI_API(#, cudaMallocManaged)<float>(&p, 128);
// expect: CUI_API(#, cudaMemcpyToSymbol)<int>(symbol, &value, sizeof(int));
// expect: CUI_LAUNCH_CALL(#, cudaLaunchKernel)<void(int*)>(named, 1, 32, arguments, 0, 0);
// expect: return CUI_PASTED_API(#, cuda##call)
// expect: CUI_CALL_ENTRY("cudaMallocManaged", "all", "p", "float", 4,
// expect-not: a qualified name
#define ALLOCATE(call) return cuda##call
__device__ int symbol;
__global__ void named(int* p) { p[threadIdx.x] = symbol; }
template <class T>
void each(T** p, size_t* pitch, size_t n) {
  cudaMallocPitch<T>(p, pitch, n, n);
  cudaMalloc<T>(p, n);
  ::cudaMallocHost<T>(p, n);
}
cudaError_t pasted(double** p) { ALLOCATE(Malloc<double>(p, 64)); }
void all() {
  float* p;
  size_t pitch;
  each(&p, &pitch, 32);
  cudaMallocManaged<float>(&p, 128);
  cudaMalloc<void>((void**)&p, 64);
  int value = 3;
  cudaMemcpyToSymbol<int>(symbol, &value, sizeof(int));
  void* arguments[] = {&p};
  cudaLaunchKernel<void(int*)>(named, 1, 32, arguments, 0, 0);
  double* q;
  pasted(&q);
}
