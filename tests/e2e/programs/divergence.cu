// Lanes of a warp that part and meet again: loops of different length, branches, early returns, switch.
#include "check.h"

__global__ void triangle(const int* a, int* out) {
  const int lane = threadIdx.x;
  int sum = 0;
  for (int i = 0; i <= lane; ++i) sum += a[i];
  out[lane] = sum;
}

__global__ void branches(const int* x, const int* y, int* out) {
  const int lane = threadIdx.x;
  int value = 0;
  if (lane % 2 == 1) {
    value = x[lane];
    if (lane >= 16) value += y[lane];
  } else {
    value = 100 * x[lane + 32];
  }
  out[lane] = value;
}

__global__ void leave(const int* a, int* out) {
  const int lane = threadIdx.x;
  if (lane >= 20) return;
  int i = 0;
  while (true) {
    if (a[lane + i] % 8 == 0) break;
    ++i;
  }
  out[lane] = i;
}

__global__ void choose(const int* a, int* out) {
  const int lane = threadIdx.x;
  switch (lane / 8) {
    case 0:
      out[lane] = a[lane];
      break;
    case 1:
      out[lane] = a[lane] + 1;
      [[fallthrough]];
    case 2:
      out[lane + 32] = 7;
      break;
    default:
      break;
  }
}

int main() {
  int host[64], result[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  int *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, sizeof host));
  CUDA_CHECK(cudaMalloc(&out, sizeof host));
  CUDA_CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
  const auto fetch = [&] {
    CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemset(out, 0, sizeof result));
  };

  triangle<<<1, 32>>>(in, out);
  fetch();
  for (int i = 0; i < 32; ++i) EXPECT(result[i] == i * (i + 1) / 2);
  branches<<<1, 32>>>(in, in, out);
  fetch();
  for (int i = 0; i < 32; ++i) EXPECT(result[i] == (i % 2 == 0 ? 100 * (i + 32) : i < 16 ? i : 2 * i));
  leave<<<1, 32>>>(in, out);
  fetch();
  for (int i = 0; i < 32; ++i) EXPECT(result[i] == (i < 20 ? (8 - i % 8) % 8 : 0));
  choose<<<1, 32>>>(in, out);
  fetch();
  for (int i = 0; i < 32; ++i) {
    EXPECT(result[i] == (i < 8 ? i : i < 16 ? i + 1 : 0));
    EXPECT(result[i + 32] == (i >= 8 && i < 24 ? 7 : 0));
  }
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
