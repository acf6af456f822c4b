// A header that the compiler's line includes in front of the source is instrumented as those are that the source names.
#include "check.h"

__global__ void run(int* out, const int* p) {
  addTo(out, p);
}

int main() {
  int *in = allocate(64), *out = allocate(32);
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  CUDA_CHECK(cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice));
  run<<<1, 32>>>(out, in);
  CUDA_CHECK(cudaMemcpy(host, out, 32 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(host[i] == 32 + 2 * i);
  return verdict();
}
