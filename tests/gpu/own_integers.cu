// A program in the style of C that declares its integers itself, one of them other than <cstdint> does: nvcc takes that, as
// nothing it includes has the name. Neither may anything of ours.
typedef unsigned char uint8_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned char byte;

// Only the program's own type is `unsigned long long`: another would be ambiguous here.
__device__ uint64_t rotate(unsigned long long value, uint32_t by) {
  return value << by | value >> (64 - by);
}
__device__ float rotate(float value, uint32_t) {
  return value;
}

__device__ uint64_t state[4];

__global__ void mix(uint64_t* out, const byte* in, uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (uint32_t round = 0; round < 4; ++round) out[i] ^= rotate(state[round] + uint64_t(in[i]), round + 1);
  atomicAdd(&state[i & 3u], uint64_t(1));
}

int main() {
  const uint32_t n = 64;
  uint64_t* out = nullptr;
  byte* in = nullptr;
  if (cudaMallocManaged(&out, n * sizeof(uint64_t)) || cudaMallocManaged(&in, n)) return 1;
  for (uint32_t i = 0; i < n; ++i) out[i] = 0, in[i] = static_cast<uint8_t>(i);
  mix<<<2, 32>>>(out, in, n);
  return cudaDeviceSynchronize() != cudaSuccess;
}
