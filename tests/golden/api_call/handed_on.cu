// A macro hands its arguments on to another one, as GoogleTest's do: what a form expands to is one argument there, too.
// expect: SAME(CUI_API(#, cudaMalloc)(&p, n), cudaSuccess);
// expect: SAME(::CUI_GLOBAL_API(#, cudaFree)(p), cudaSuccess);
// expect: SAME(CUI_API(#, cudaDeviceSynchronize)(), cudaSuccess);
// expect: SAME(CUI_DRIVER_API(#, cuMemAlloc)(&address, n), CUDA_SUCCESS);
// expect: SAME(::CUI_GLOBAL_DRIVER_API(#, cuMemFree)(address), CUDA_SUCCESS);
// expect: SAME(CUI_LAUNCH_CALL(#, cudaLaunchKernel)(
// expect: SAME(::CUI_GLOBAL_LAUNCH_CALL(#, cudaLaunchKernel)(
#include <cuda.h>
#include <cuda_runtime.h>
#define SAME(a, b) SAME_AS(a, b)
#define SAME_AS(a, b) do { if ((a) != (b)) failed(); } while (0)
void failed();
__global__ void fill(float* p) { p[threadIdx.x] = 0.0f; }
void checked(int n) {
  void* p;
  CUdeviceptr address;
  SAME(cudaMalloc(&p, n), cudaSuccess);
  SAME(cuMemAlloc(&address, n), CUDA_SUCCESS);
  void* arguments[] = {&p};
  SAME(cudaLaunchKernel((const void*)fill, dim3(1), dim3(32), arguments, 0, 0), cudaSuccess);
  SAME(::cudaLaunchKernel((const void*)fill, dim3(1), dim3(32), arguments, 0, 0), cudaSuccess);
  SAME(cudaDeviceSynchronize(), cudaSuccess);
  SAME(::cuMemFree(address), CUDA_SUCCESS);
  SAME(::cudaFree(p), cudaSuccess);
}
