// Arrays whose accesses are easy to count: one line for each class of pattern, and an array that is read twice.
#include <cstdio>

constexpr int inCount = 512, outCount = 128, sweepCount = 256;

/// One warp. The squares modulo 61 have no distance in common: 0 1 4 9 16 25 36 49 3 20 39 60 22 47 13 42 12 45 19 56
/// 34 14 57 41 27 15 5 58 52 48 46 46.
__global__ void patterns(const int* in, int* out) {
  const int t = threadIdx.x, square = t * t % 61;
  int sum = in[0];
  sum += in[t / 8 * 64 + t % 8];
  sum += in[square * 8];
  sum += in[square];
  out[t] = sum;
  out[t * 4] = sum;
  if (t == 0) out[0] = sum;
}

/// One warp reads 8 x 32 elements, twice.
__global__ void sweep(const int* in, int* out) {
  int sum = 0;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 8; ++i) sum += in[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

int main() {
  int *in = nullptr, *out = nullptr, *swept = nullptr;
  cudaMalloc(&in, inCount * sizeof(int));
  cudaMalloc(&out, outCount * sizeof(int));
  cudaMalloc(&swept, sweepCount * sizeof(int));
  cudaMemset(in, 0, inCount * sizeof(int));
  cudaMemset(swept, 0, sweepCount * sizeof(int));
  patterns<<<1, 32>>>(in, out);
  sweep<<<1, 32>>>(swept, out);
  cudaFree(in);
  cudaFree(out);
  cudaFree(swept);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
