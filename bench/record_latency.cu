// How long a warp that runs by itself waits for each record: what bounds samples of small grids, whose
// recorded blocks have a multiprocessor to themselves. Prints cycles an access of kernels that do nothing
// else.
//
//   cuinstrument nvcc -O3 -arch=sm_90 -o record_latency bench/record_latency.cu
//   CUINSTRUMENT=off ./record_latency; CUINSTRUMENT_MODE=profile ./record_latency; ./record_latency
#include <cstdio>
#include <cstdlib>

constexpr int rounds = 2000, firsts = 8;

// Indices come from memory, so that no loop is recorded in front; each access waits for the one before.
__global__ void neighbours(const int* next, int* out, long long* cycles) {
  int at = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const long long begin = clock64();
    at = next[at];
    at = at & 1023;
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[i] = end - begin + (at < 0);
  }
  out[threadIdx.x] = at;
}
__global__ void pairs(const int* next, int* out, long long* cycles) {
  int at = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const long long begin = clock64();
    at = next[at] + next[at + 1024];
    at = at & 1023;
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[i] = end - begin + (at < 0);
  }
  out[threadIdx.x] = at;
}
__global__ void scattered(const int* next, int* out, long long* cycles) {
  int at = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const long long begin = clock64();
    at = next[at];
    at = at & 1023;
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[i] = end - begin + (at < 0);
  }
  out[threadIdx.x] = at;
}
__global__ void parts(const int* next, int* out, long long* cycles) {
  int at = threadIdx.x;
  if (threadIdx.x % 3 != 0)
    for (int i = 0; i < rounds; ++i) {
      const long long begin = clock64();
      at = next[at];
      at = at & 1023;
      const long long end = clock64();
      if (threadIdx.x == 1) cycles[i] = end - begin + (at < 0);
    }
  out[threadIdx.x] = at;
}
__global__ void inShared(const int* next, int* out, long long* cycles) {
  __shared__ int table[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) table[i] = next[i];
  __syncthreads();
  int at = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const long long begin = clock64();
    at = table[at];
    at = at & 1023;
    const long long end = clock64();
    if (threadIdx.x == 0) cycles[i] = end - begin + (at < 0);
  }
  out[threadIdx.x] = at;
}

static int compare(const void* a, const void* b) {
  const long long left = *static_cast<const long long*>(a), right = *static_cast<const long long*>(b);
  return left < right ? -1 : left > right;
}
static int bySelf(int i) {
  return (i + 32) & 1023;
}
static int random(int i) {
  return i * 389 + 17 & 1023;
}

template <class Kernel>
static void measure(const char* name, Kernel kernel, int (*next)(int), int* table, int* out,
                    long long* cycles) {
  for (int i = 0; i < 2048; ++i) table[i] = i < 1024 ? next(i) : 0;
  kernel<<<1, 32>>>(table, out, cycles);
  const cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(status));
    std::exit(1);
  }
  const long long first = cycles[0];
  std::qsort(cycles + firsts, rounds - firsts, sizeof *cycles, compare);
  std::printf("%s,%lld,%lld,%lld\n", name, first, cycles[firsts + (rounds - firsts) / 2],
              cycles[rounds - 1 - (rounds - firsts) / 20]);
}

int main() {
  int *table = nullptr, *out = nullptr;
  long long* cycles = nullptr;
  cudaMallocManaged(&table, 2048 * sizeof *table);
  cudaMallocManaged(&out, 32 * sizeof *out);
  cudaMallocManaged(&cycles, rounds * sizeof *cycles);
  std::printf("kernel,first,median,95th\n");
  for (int run = 0; run < 2; ++run) {
    measure("neighbours", neighbours, bySelf, table, out, cycles);
    measure("pairs", pairs, bySelf, table, out, cycles);
    measure("scattered", scattered, random, table, out, cycles);
    measure("parts", parts, random, table, out, cycles);
    measure("inShared", inShared, random, table, out, cycles);
  }
}
