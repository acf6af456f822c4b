// Kernels of which a sample's blocks are launched apart, and launches that are not selected, which run
// kernels without the recorder: whatever a block may know of its place in the grid, or hand to blocks that
// run after it, has to be as without. Each part checks its own results; the program prints what
// a launch that is refused says, and "right".
// plain_launches.py says what its trace must hold.
#include <cstdio>
#include <vector>

#include "check.h"

#define EXPECT(what)                                         \
  do {                                                       \
    if (!(what)) {                                           \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #what); \
      return 1;                                              \
    }                                                        \
  } while (0)

constexpr int threads = 64;

/// Asks for its place in the grid in a function that is called.
__device__ __noinline__ unsigned int place() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
__global__ void called(const int* calledIn, int* calledOut) {
  const unsigned int i = place() * blockDim.x + threadIdx.x;
  calledOut[i] = calledIn[i] + static_cast<int>(place());
}

__global__ void inThree(int* three, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z;
  three[x + nx * (y + ny * z)] =
      static_cast<int>(blockIdx.x + 100 * blockIdx.y + 10000 * blockIdx.z + 1000000 * gridDim.z);
}

/// The block that is the last to arrive, whichever it is, adds up what all have left.
__global__ void lastAdds(const int* in, int* sums, unsigned int* arrived, int* total) {
  __shared__ bool isLast;
  atomicAdd(&sums[blockIdx.x], in[blockIdx.x * blockDim.x + threadIdx.x]);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) isLast = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!isLast || threadIdx.x != 0) return;
  int all = 0;
  for (unsigned int i = 0; i < gridDim.x; ++i) all += sums[i];
  *total = all;
}

/// Static and dynamic shared memory, whose end is where a sample's block is told its place.
template <int Extra>
__global__ void turned(int* turnedOut, int count) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[threads];
  fixed[threadIdx.x] = static_cast<int>(blockIdx.x);
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    dynamic[i] = static_cast<int>(blockIdx.x) * count + i + Extra;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    turnedOut[blockIdx.x * count + i] = dynamic[count - 1 - i] + fixed[threads - 1 - threadIdx.x];
}

__device__ int counted[8];
/// No parameters, and blocks that end at once.
__global__ void counts() {
  if ((blockIdx.x & 1) != 0) return;
  if (threadIdx.x == 0) atomicAdd(&counted[blockIdx.x & 7], 1);
}

struct Scaled {
  char sign;
  int by[3];
};
/// Behind parameters of odd sizes come those of the kernel without the recorder.
__global__ void scaled(int* scaledOut, Scaled scale, char last) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  scaledOut[i] = scale.sign * scale.by[i % 3] * static_cast<int>(i) + last;
}

/// What a kernel finds of the one before it in its stream: all of it, from its last block on.
__global__ void reversed(const int* reversedIn, int* reversedOut, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  reversedOut[i] = reversedIn[n - 1 - i] + 1;
}

/// Blocks that wait for one another are launched as they are.
__global__ void waits(volatile int* flag, int* seen) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == gridDim.x - 1) *flag = 7;
  while (*flag != 7) {
  }
  seen[blockIdx.x] = *flag;
}

int half() {
  constexpr int blocks = 600, n = blocks * threads;
  std::vector<int> numbers(n), found(n);
  for (int i = 0; i < n; ++i) numbers[i] = i % 1000;
  int *calledIn, *calledOut, *three, *sums, *total, *turnedOut, *scaledOut, *seen;
  unsigned int* arrived;
  int* flag;
  CHECK(cudaMalloc(&calledIn, n * sizeof(int)));
  CHECK(cudaMalloc(&calledOut, n * sizeof(int)));
  CHECK(cudaMalloc(&three, n * sizeof(int)));
  CHECK(cudaMalloc(&sums, blocks * sizeof(int)));
  CHECK(cudaMalloc(&total, sizeof(int)));
  CHECK(cudaMalloc(&turnedOut, blocks * 14000 * sizeof(int)));
  CHECK(cudaMalloc(&scaledOut, n * sizeof(int)));
  CHECK(cudaMalloc(&seen, 100 * sizeof(int)));
  CHECK(cudaMalloc(&arrived, sizeof(unsigned int)));
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMemcpy(calledIn, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sums, 0, blocks * sizeof(int)));
  CHECK(cudaMemset(arrived, 0, sizeof(unsigned int)));
  CHECK(cudaMemset(flag, 0, sizeof(int)));

  called<<<blocks, threads>>>(calledIn, calledOut);
  CHECK(cudaMemcpy(found.data(), calledOut, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(found[i] == numbers[i] + i / threads);

  constexpr int nx = 80, ny = 60, nz = 8;
  inThree<<<dim3(nx / 8, ny / 4, nz), dim3(8, 4)>>>(three, nx, ny);
  CHECK(cudaMemcpy(found.data(), three, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < nx * ny * nz; ++i) {
    const int x = i % nx, y = i / nx % ny, z = i / nx / ny;
    EXPECT(found[i] == x / 8 + 100 * (y / 4) + 10000 * z + 1000000 * nz);
  }

  for (int again = 0; again < 20; ++again) {
    CHECK(cudaMemset(sums, 0, blocks * sizeof(int)));
    lastAdds<<<blocks, threads>>>(calledIn, sums, arrived, total);
    int all = 0, expected = 0;
    CHECK(cudaMemcpy(&all, total, sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) expected += numbers[i];
    EXPECT(all == expected);
  }

  for (const int count : {100, 5000, 14000}) {
    const int bytes = count * static_cast<int>(sizeof(int));
    if (bytes > 48000)
      CHECK(cudaFuncSetAttribute(turned<3>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes + 4096));
    turned<3><<<blocks, threads, bytes>>>(turnedOut, count);
    CHECK(cudaGetLastError());
    std::vector<int> result(static_cast<std::size_t>(blocks) * count);
    CHECK(cudaMemcpy(result.data(), turnedOut, result.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int block = 0; block < blocks; ++block)
      for (int i = 0; i < count; ++i)
        EXPECT(result[static_cast<std::size_t>(block) * count + i] ==
               block * count + count - 1 - i + 3 + block);
  }

  counts<<<blocks, threads>>>();
  int sumOfCounts[8];
  CHECK(cudaMemcpyFromSymbol(sumOfCounts, counted, sizeof sumOfCounts));
  for (int i = 0; i < 8; i += 2) EXPECT(sumOfCounts[i] == blocks / 8);
  CHECK(cudaMemset(calledOut, 0xff, n * sizeof(int)));

  const Scaled scale = {-1, {2, 3, 5}};
  scaled<<<blocks, threads>>>(scaledOut, scale, 'x');
  CHECK(cudaMemcpy(found.data(), scaledOut, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(found[i] == -scale.by[i % 3] * i + 'x');

  // Twenty one after the other, in each of two streams.
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreate(&stream));
  int* buffers[2][2] = {{calledIn, calledOut}, {scaledOut, three}};
  CHECK(cudaMemcpy(scaledOut, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  for (int again = 0; again < 20; ++again)
    for (int i = 0; i < 2; ++i)
      reversed<<<blocks, threads, 0, streams[i]>>>(buffers[i][again % 2], buffers[i][1 - again % 2], n);
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaStreamSynchronize(streams[i]));
    CHECK(cudaMemcpy(found.data(), buffers[i][0], n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int k = 0; k < n; ++k) EXPECT(found[k] == numbers[k] + 20);
    CHECK(cudaStreamDestroy(streams[i]));
  }

  waits<<<100, threads>>>(flag, seen);
  CHECK(cudaMemcpy(found.data(), seen, 100 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 100; ++i) EXPECT(found[i] == 7);

  // Launches that are refused are, with the error that they have.
  called<<<blocks, 2048>>>(calledIn, calledOut);
  const cudaError_t refused = cudaGetLastError();
  EXPECT(refused != cudaSuccess);
  std::puts(cudaGetErrorName(refused));
  return 0;
}

int main() {
  if (const int failed = half()) return failed;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaDeviceReset());
  if (const int failed = half()) return failed;
  CHECK(cudaDeviceSynchronize());
  std::puts("right");
  return 0;
}
