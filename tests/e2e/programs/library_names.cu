// Headers of libraries without source, for the names that a program's helpers have of them; nothing of theirs
// is called.
#include <cublas_v2.h>
#include <cufft.h>

#include <cstring>

#include "check.h"

const char* nameOf(cublasStatus_t status) {
  return status == CUBLAS_STATUS_SUCCESS ? "success" : "failure";
}
inline bool isGood(cufftResult result) {
  return result == CUFFT_SUCCESS;
}

__global__ void multiply(const cufftComplex* a, cuComplex* b) {
  b[threadIdx.x] = cuCmulf(a[threadIdx.x], b[threadIdx.x]);
}

int main() {
  cuComplex *a, *b;
  CUDA_CHECK(cudaMallocManaged(&a, 32 * sizeof *a));
  CUDA_CHECK(cudaMallocManaged(&b, 32 * sizeof *b));
  for (int i = 0; i < 32; ++i) {
    a[i] = make_cuComplex(i, 1);
    b[i] = make_cuComplex(2, i);
  }
  multiply<<<1, 32>>>(a, b);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) EXPECT(b[i].x == i && b[i].y == i * i + 2);
  EXPECT(std::strcmp(nameOf(CUBLAS_STATUS_SUCCESS), "success") == 0 && isGood(CUFFT_SUCCESS));
  return verdict();
}
