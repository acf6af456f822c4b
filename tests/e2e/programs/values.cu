// Loads and stores of different types, for a build that records values.
#include <cstdint>

#include "check.h"

__global__ void convert(const float* real, std::int16_t* rounded, double* exact, std::uint64_t* wide) {
  const int t = threadIdx.x;
  rounded[t] = static_cast<std::int16_t>(real[t]);
  exact[t] = real[t] / 2.0;
  wide[t] = t == 0 ? ~0ull : 1ull << (8 * t);
}

struct Bits {
  unsigned low : 4, high : 12;
};
#pragma pack(push, 1)
struct Packed {
  char tag;
  float number;
};
#pragma pack(pop)

/// What no reference binds to, and what has a type by the left side only.
__global__ void assigned(const Bits* bits, const Packed* packed, unsigned* field, float* member,
                         float** pointer, volatile int* flag) {
  field[threadIdx.x] = bits->high;
  member[threadIdx.x] = packed->number;
  pointer[threadIdx.x] = 0;
  pointer[threadIdx.x] = {};
  flag[threadIdx.x] = 2.75;
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
  const Bits hostBits = {5, 700};
  const Packed hostPacked = {'x', 1.25f};
  char* mixed = nullptr;  // 8 bytes for each
  CUDA_CHECK(cudaMalloc(&mixed, 48));
  CUDA_CHECK(cudaMemcpy(mixed, &hostBits, sizeof hostBits, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(mixed + 8, &hostPacked, sizeof hostPacked, cudaMemcpyHostToDevice));
  assigned<<<1, 1>>>((Bits*)mixed, (Packed*)(mixed + 8), (unsigned*)(mixed + 16), (float*)(mixed + 24),
                     (float**)(mixed + 32), (int*)(mixed + 40));
  unsigned hostField = 0;
  CUDA_CHECK(cudaMemcpy(&hostField, mixed + 16, sizeof hostField, cudaMemcpyDeviceToHost));
  EXPECT(hostField == 700);
  CUDA_CHECK(cudaFree(mixed));
  for (void* p : {(void*)real, (void*)rounded, (void*)exact, (void*)wide}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
