// Two units of relocatable code (this file twice: the second with -DSECOND_UNIT) whose accesses can be
// counted by hand (linked_units.py): functions called across units, constants, static and dynamic shared
// memory in both, and blocks of 1,024 threads of kernels that say nothing of them. Prints the first thing
// that is wrong and exits 1.
#include <cstdio>
#include <cstdlib>

constexpr int lanes = 32, most = 1024;
#ifdef SECOND_UNIT
constexpr int factor = 7;
#else
constexpr int factor = 3, blocks = 2, rounds = 8;
#endif
#ifdef BOUNDED  // 32 registers, for the recorder as well
#define BOUNDS __launch_bounds__(most, 2)
#else
#define BOUNDS
#endif

static __constant__ int table[lanes];

static cudaError_t fillTable() {
  int values[lanes];
  for (int i = 0; i < lanes; ++i) values[i] = i * factor;
  return cudaMemcpyToSymbol(table, values, sizeof values);
}

cudaError_t fillSecondTable();
__device__ int scaled(const int* from);
__device__ void store(int* to, int value);
__global__ void second(int* out);

#ifdef SECOND_UNIT

cudaError_t fillSecondTable() {
  return fillTable();
}
// Two loads; one store.
__device__ int scaled(const int* from) {
  return *from * table[1];
}
__device__ void store(int* to, int value) {
  *to = value;
}
// Each thread: a load, two of shared memory, a store.
__global__ void BOUNDS second(int* out) {
  __shared__ int own[most];
  const int thread = static_cast<int>(threadIdx.x);
  own[thread] = table[thread % lanes];
  __syncthreads();
  out[blockIdx.x * most + thread] = own[thread ^ 1];
}

#else

// Each thread: a load of constants and a store of dynamic shared memory; two loads in scaled(), of this and
// of the other unit's constants; a store and a load of static shared memory; a store in store().
__global__ void first(int* out) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[most];
  const int thread = static_cast<int>(threadIdx.x);
  dynamic[thread] = table[thread % lanes];
  __syncthreads();
  fixed[thread] = scaled(dynamic + (thread ^ 1));
  __syncthreads();
  store(out + blockIdx.x * most + thread, fixed[thread ^ 2]);
}

// Each thread: n loads of one loop, a store.
__global__ void sums(int* out, const int* in, int n) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i * most + thread % most];
  out[thread] = sum;
}

template <class Expected>
void check(const char* what, const int* out, const Expected& expected) {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
  for (int i = 0; i < blocks * most; ++i) {
    if (out[i] == expected(i)) continue;
    std::printf("%s: %d instead of %d at %d\n", what, out[i], expected(i), i);
    std::exit(1);
  }
}

int main() {
  int *out, *in;
  if (cudaMallocManaged(&out, blocks * most * sizeof(int)) != cudaSuccess ||
      cudaMallocManaged(&in, rounds * most * sizeof(int)) != cudaSuccess || fillTable() != cudaSuccess ||
      fillSecondTable() != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  for (int i = 0; i < rounds * most; ++i) in[i] = i;
  first<<<blocks, most, most * sizeof(int)>>>(out);
  check("first", out, [](int i) { return (i % most ^ 3) % lanes * 3 * 7; });
  second<<<blocks, most>>>(out);
  check("second", out, [](int i) { return (i % most ^ 1) % lanes * 7; });
  sums<<<blocks, most>>>(out, in, rounds);
  check("sums", out, [](int i) { return rounds * (i % most) + most * (rounds * (rounds - 1) / 2); });
  std::printf("linked_units: right\n");
  return 0;
}

#endif
