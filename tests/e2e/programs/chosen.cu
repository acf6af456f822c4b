// Launches that name no kernel: a variable, a template's parameter and pointers handed to calls hold it.
#include "check.h"

__global__ void setOne(int* p) {
  p[threadIdx.x] = 1;
}
__global__ void setTwo(int* p) {
  p[threadIdx.x] = 2;
}
template <class T>
__global__ void setThree(T* p) {
  p[threadIdx.x] = 3;
}

template <void (*kernel)(int*)>
void launchIt(int* p) {
  kernel<<<1, 32>>>(p);
}

/// Whose two uses on one line are one row's.
#define RUN(k, p) k<<<1, 32>>>(p)
void launchBeside(int* p) {
  RUN(setOne, p), RUN(setTwo, p), RUN(setThree<int>, p);
}

int main() {
  int* p = nullptr;
  CUDA_CHECK(cudaMalloc(&p, 32 * sizeof(int)));
  void (*const kernels[])(int*) = {setOne, setTwo, setThree<int>};
  for (const auto kernel : kernels) kernel<<<1, 32>>>(p);
  launchIt<setOne>(p);
  launchIt<setTwo>(p);
  void* arguments[] = {&p};
  for (const auto kernel : kernels)
    CUDA_CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(32), arguments, 0, nullptr));
  setTwo<<<1, 32>>>(p);
  launchBeside(p);
  RUN(setTwo, p);
  CUDA_CHECK(cudaGetLastError());
  int values[32];
  CUDA_CHECK(cudaMemcpy(values, p, sizeof values, cudaMemcpyDeviceToHost));
  EXPECT(values[0] == 2 && values[31] == 2);
  CUDA_CHECK(cudaFree(p));
  return verdict();
}
