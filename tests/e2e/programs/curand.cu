// cuRAND's device functions, of the toolkit's headers: generators in registers and in memory, distributions.
#include "check.h"

#include <curand_kernel.h>

constexpr int side = 32;
constexpr unsigned long long seed = 1234;

template <class State>
__global__ void first(unsigned* bits) {
  State state;
  curand_init(seed, threadIdx.x, 0, &state);
  bits[threadIdx.x] = curand(&state);
}

// Five numbers of a subsequence at once are where an offset of five leads.
template <class State>
__global__ void offsets(unsigned* differing) {
  State walked, jumped;
  curand_init(seed, threadIdx.x, 0, &walked);
  curand_init(seed, threadIdx.x, 5, &jumped);
  for (int i = 0; i < 5; ++i) curand(&walked);
  if (curand(&walked) != curand(&jumped)) atomicAdd(differing, 1u);
}

__global__ void four(uint4* bits) {
  curandStatePhilox4_32_10_t state;
  curand_init(seed, 0, 0, &state);
  bits[0] = curand4(&state);
}

// The usual pair: states are made once and kept in memory.
__global__ void prepare(curandState* states) {
  curand_init(seed, threadIdx.x, 0, &states[threadIdx.x]);
}
__global__ void draw(curandState* states, float* uniform, float* normal, unsigned* poisson) {
  curandState state = states[threadIdx.x];
  uniform[threadIdx.x] = curand_uniform(&state);
  normal[threadIdx.x] = curand_normal(&state);
  poisson[threadIdx.x] = curand_poisson(&state, 4);
  states[threadIdx.x] = state;
}

int main() {
  unsigned *bits, *poisson;
  float *uniform, *normal;
  uint4* quad;
  curandState* states;
  CUDA_CHECK(cudaMallocManaged(&bits, side * sizeof *bits));
  CUDA_CHECK(cudaMallocManaged(&poisson, side * sizeof *poisson));
  CUDA_CHECK(cudaMallocManaged(&uniform, side * sizeof *uniform));
  CUDA_CHECK(cudaMallocManaged(&normal, side * sizeof *normal));
  CUDA_CHECK(cudaMallocManaged(&quad, sizeof *quad));
  CUDA_CHECK(cudaMallocManaged(&states, side * sizeof *states));

  // What curandGenerate() gives for this seed (curandCreateGeneratorHost): its n-th number is the first of the n-th
  // subsequence; of Philox, the n-th of the first one.
  first<curandStateXORWOW_t><<<1, side>>>(bits);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(bits[0] == 0x253d5e15 && bits[1] == 0xd1f7605a && bits[2] == 0x8ce6f6f8 && bits[3] == 0x4b79ff67);
  first<curandStateMRG32k3a_t><<<1, side>>>(bits);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(bits[0] == 0xc96891f0 && bits[1] == 0x26f0d612 && bits[2] == 0xef269080 && bits[3] == 0xfc8fa50e);
  four<<<1, 1>>>(quad);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(quad->x == 0x2090b348 && quad->y == 0xda7cf0ab && quad->z == 0x4401906f && quad->w == 0xcbca470e);

  bits[0] = 0;
  offsets<curandStateXORWOW_t><<<1, side>>>(bits);
  offsets<curandStateMRG32k3a_t><<<1, side>>>(bits);
  offsets<curandStatePhilox4_32_10_t><<<1, side>>>(bits);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(bits[0] == 0);

  prepare<<<1, side>>>(states);
  draw<<<1, side>>>(states, uniform, normal, poisson);
  CUDA_CHECK(cudaDeviceSynchronize());
  // (x + 1/2) / 2^32 of the first number above, in single precision.
  EXPECT(uniform[0] > 0.145467f && uniform[0] < 0.145468f);
  double mean = 0, events = 0;
  for (int i = 0; i < side; ++i) {
    EXPECT(uniform[i] > 0 && uniform[i] <= 1 && normal[i] > -6 && normal[i] < 6 && poisson[i] < 30);
    mean += uniform[i] / side, events += poisson[i] / double(side);
  }
  // Six standard deviations of a mean of 32: 6 * 0.289 / 5.66, and 6 * 2 / 5.66.
  EXPECT(mean > 0.5 - 0.31 && mean < 0.5 + 0.31);
  EXPECT(events > 4 - 2.2 && events < 4 + 2.2);
  return verdict();
}
