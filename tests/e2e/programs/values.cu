// Loads and stores of different types, for a build that records values.
#include <cstdint>

#include "check.h"

__global__ void convert(const float* real, std::int16_t* rounded, double* exact, std::uint64_t* wide) {
  const int t = threadIdx.x;
  rounded[t] = static_cast<std::int16_t>(real[t]);
  exact[t] = real[t] / 2.0;
  wide[t] = t == 0 ? ~0ull : 1ull << (8 * t);
}

int main() {
  constexpr int n = 4;
  const float hostReal[n] = {0.5f, -1.5f, 2.5f, -300.25f};
  float* real = nullptr;
  std::int16_t* rounded = nullptr;
  double* exact = nullptr;
  std::uint64_t* wide = nullptr;
  CUDA_CHECK(cudaMalloc(&real, n * sizeof *real));
  CUDA_CHECK(cudaMalloc(&rounded, n * sizeof *rounded));
  CUDA_CHECK(cudaMalloc(&exact, n * sizeof *exact));
  CUDA_CHECK(cudaMalloc(&wide, n * sizeof *wide));
  CUDA_CHECK(cudaMemcpy(real, hostReal, sizeof hostReal, cudaMemcpyHostToDevice));
  convert<<<1, n>>>(real, rounded, exact, wide);
  std::int16_t hostRounded[n];
  double hostExact[n];
  std::uint64_t hostWide[n];
  CUDA_CHECK(cudaMemcpy(hostRounded, rounded, sizeof hostRounded, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostExact, exact, sizeof hostExact, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostWide, wide, sizeof hostWide, cudaMemcpyDeviceToHost));
  EXPECT(hostRounded[1] == -1 && hostRounded[3] == -300);
  EXPECT(hostExact[0] == 0.25 && hostExact[3] == -150.125);
  EXPECT(hostWide[0] == ~0ull && hostWide[3] == 1ull << 24);
  for (void* p : {(void*)real, (void*)rounded, (void*)exact, (void*)wide}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
