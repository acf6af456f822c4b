// Text that only one of a line's architectures has, built for sm_90 and, last, for the one that is read first
// (sm_80): the accesses, barriers and shared variables of a GPU's own text are recorded on it. Prints which
// text ran, exits 1 if a result is wrong.
#include <cstdio>

constexpr int lanes = 256, blocks = 4, count = lanes * blocks;

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
#define OLDER 1
#endif

__global__ void turn(int* to, const int* from, int* sums, int turns) {
  const int i = blockIdx.x * lanes + threadIdx.x;
#ifdef OLDER
  to[i] = from[blockIdx.x * lanes + lanes - 1 - threadIdx.x];
  atomicAdd(&sums[blockIdx.x], to[i] * turns);
#else
  __shared__ int tile[lanes];
  tile[threadIdx.x] = from[i];
  __syncthreads();
  to[i] = tile[lanes - 1 - threadIdx.x];
  int sum = 0;
  for (int k = 0; k < turns; ++k) sum += tile[(threadIdx.x + k) % lanes];
  if (turns > 1 && threadIdx.x % 2)
    sum = tile[lanes - 1 - threadIdx.x] * turns;
  else
    sum = to[i] * turns;
  atomicAdd(&sums[blockIdx.x], sum);
#endif
  if (i == 0)
    sums[blocks] =
#if __CUDA_ARCH__ >= 900
        from[count - 1] + 9;
#else
        8;
#endif
}

int main() {
  int *from, *to, *sums;
  if (cudaMallocManaged(&from, count * sizeof(int)) || cudaMallocManaged(&to, count * sizeof(int)) ||
      cudaMallocManaged(&sums, (blocks + 1) * sizeof(int)))
    return 1;
  for (int i = 0; i < count; ++i) from[i] = i;
  for (int i = 0; i <= blocks; ++i) sums[i] = 0;
  turn<<<blocks, lanes>>>(to, from, sums, 3);
  if (cudaDeviceSynchronize()) return 1;
  int wrong = 0;
  for (int i = 0; i < count; ++i) wrong += to[i] != i / lanes * lanes + lanes - 1 - i % lanes;
  for (int b = 0; b < blocks; ++b) wrong += sums[b] != 3 * lanes * (lanes * b * 2 + lanes - 1) / 2;
  const bool newer = sums[blocks] == count + 8;
  wrong += !newer && sums[blocks] != 8;
  std::printf("%s text, %d wrong\n", newer ? "newer" : "older", wrong);
  return wrong != 0;
}
