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
// `find` makes what is measured; one thread says how long each time took.
template <class Find>
__device__ void follow(Find find, unsigned timing, int* out, long long* cycles) {
  int at = threadIdx.x;
  for (int i = 0; i < rounds; ++i) {
    const long long begin = clock64();
    at = find(at) & 1023;
    const long long end = clock64();
    if (threadIdx.x == timing) cycles[i] = end - begin + (at < 0);
  }
  out[threadIdx.x] = at;
}

// The table decides whether what a warp's lanes access follows a rule: neighbour(), or scattered().
__global__ void single(const int* next, int* out, long long* cycles) {
  follow([=](int at) { return next[at]; }, 0, out, cycles);
}
__global__ void pairs(const int* next, int* out, long long* cycles) {
  follow([=](int at) { return next[at] + next[at + 1024]; }, 0, out, cycles);
}
__global__ void parts(const int* next, int* out, long long* cycles) {
  if (threadIdx.x % 3 != 0) follow([=](int at) { return next[at]; }, 1, out, cycles);
}
__global__ void inShared(const int* next, int* out, long long* cycles) {
  __shared__ int table[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) table[i] = next[i];
  __syncthreads();
  follow([&](int at) { return table[at]; }, 0, out, cycles);
}

static int compare(const void* a, const void* b) {
  const long long left = *static_cast<const long long*>(a), right = *static_cast<const long long*>(b);
  return left < right ? -1 : left > right;
}
static int neighbour(int i) {
  return (i + 32) & 1023;
}
static int scattered(int i) {
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
    measure("neighbours", single, neighbour, table, out, cycles);
    measure("pairs", pairs, neighbour, table, out, cycles);
    measure("scattered", single, scattered, table, out, cycles);
    measure("parts", parts, scattered, table, out, cycles);
    measure("inShared", inShared, scattered, table, out, cycles);
  }
}
