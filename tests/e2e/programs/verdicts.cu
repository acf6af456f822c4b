// What analyses must tell apart: each kernel has one thing wrong with it, or looks as if it had and has not.
#include <cstdio>

constexpr int threads = 256, blocks = 4, count = threads * blocks;

/// One element off: each warp's 128 bytes begin 4 bytes into a sector.
__global__ void shifted(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

/// One thread adds up what its block has loaded; the others wait.
__global__ void serial(const float* in, float* sums) {
  __shared__ float tile[threads];
  tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int k = 0; k < threads; ++k) sum += tile[k];
    sums[blockIdx.x] = sum;
  }
}

/// Three of four lanes of each warp are not there.
__global__ void narrow(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

/// Nothing is wrong: lanes of one warp, which are in step, hand over values in shared memory.
__global__ void inStep(const float* in, float* out) {
  __shared__ float tile[threads];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x ^ 31];
}

/// The last block to come adds up what the others left: ordered by the counter, which the trace cannot tell.
__global__ void lastAddsUp(const float* in, float* parts, unsigned* counter, float* sum) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    last = atomicAdd(counter, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float all = 0;
    for (int b = 0; b < blocks; ++b) all += parts[b];
    *sum = all;
  }
}

/// Uses of memory, for `lifetimes`.
__global__ void use(float* memory) {
  memory[threadIdx.x] += 1;
}

float* allocate(std::size_t bytes) {
  float* memory = nullptr;
  cudaMalloc(&memory, bytes);
  cudaMemset(memory, 0, bytes);
  return memory;
}

int main() {
  float* in = allocate((count + 8) * sizeof(float));
  float* out = allocate(count * sizeof(float));
  float* parts = allocate(blocks * sizeof(float));
  auto* counter = reinterpret_cast<unsigned*>(allocate(sizeof(unsigned)));
  shifted<<<blocks, threads>>>(in, out);
  serial<<<blocks, threads>>>(in, parts);
  narrow<<<count / 8, 8>>>(in, out);
  inStep<<<1, threads>>>(in, out);
  lastAddsUp<<<blocks, threads>>>(in, parts, counter, out);

  // Most memory is allocated while `between` is, of which `before` and `after` are not used.
  constexpr std::size_t bytes = 64 << 10;
  float *before = nullptr, *between = nullptr, *after = nullptr;
  cudaMalloc(&before, bytes);
  cudaMalloc(&after, 2 * bytes);
  cudaMemset(before, 0, bytes);
  use<<<1, threads>>>(before);
  cudaMalloc(&between, 3 * bytes);
  cudaMemset(between, 0, 3 * bytes);
  use<<<1, threads>>>(between);
  cudaFree(between);
  cudaMemset(after, 0, 2 * bytes);
  use<<<1, threads>>>(after);

  for (void* memory : {static_cast<void*>(in), static_cast<void*>(out), static_cast<void*>(parts),
                       static_cast<void*>(counter), static_cast<void*>(before), static_cast<void*>(after)})
    cudaFree(memory);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
