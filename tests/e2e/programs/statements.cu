// Consecutive statements whose accesses are recorded together (statements.py): what one writes the next one
// reads, moves or counts on with, and lanes part.
#include <cstdio>

constexpr int size = 64;

struct Arrays {
  float *x, *y, *z;
};

__device__ void exchange(int* tile, int i, int distance, bool ascending) {
  const int low = tile[i], high = tile[i + distance];
  __syncwarp();
  const bool swaps = (low > high) == ascending;
  const int first = swaps ? high : low, second = swaps ? low : high;
  tile[i] = first;
  tile[i + distance] = second;
}

/// A bitonic sort.
__global__ void sort(int* values) {
  __shared__ int tile[size];
  const int t = threadIdx.x;
  tile[t] = values[t];
  tile[t + 32] = values[t + 32];
  __syncthreads();
  for (int length = 2; length <= size; length *= 2)
    for (int distance = length / 2; distance > 0; distance /= 2) {
      const int i = 2 * t - (t & (distance - 1));
      exchange(tile, i, distance, (i & length) == 0);
      __syncthreads();
    }
  values[t] = tile[t];
  values[t + 32] = tile[t + 32];
}

__device__ void move(Arrays a, int i, float by) {
  a.x[i] += by;
  a.y[i] += 2 * by;
  a.z[i] += 3 * by;
  a.x[i + 1] = a.y[i];
  const float x = a.x[i], y = a.y[i + 1];
  a.z[i + 1] = x + y;
}

/// Places that change on the way, and lanes that go other ways.
__global__ void ways(int* values, int* next, Arrays a, int n) {
  int i = threadIdx.x * 7 % 32, step = n;
  if (i % 3 == 0) {
    values[i] = next[i];
    next[i] = step;
    step = next[i] + 1;
    i = values[i] & 31;
    values[i + 32] = step;
    next[i + 32] = i;
  } else {
    values[i] = 1;
    next[i] = 2;
    ++i;
    values[i + 16] = 3;
  }
  const int from = values[i & 31] & 31;
  const int to = next[from] & 31;
  if (to != from) {
    values[from] = to;
    next[to] = from;
  }
  move(a, from & 15, 0.5f);
}

int main() {
  int *values = nullptr, *next = nullptr;
  float* floats = nullptr;
  cudaMalloc(&values, size * sizeof(int));
  cudaMalloc(&next, size * sizeof(int));
  cudaMalloc(&floats, 3 * size * sizeof(float));
  int host[size];
  for (int i = 0; i < size; ++i) host[i] = i * 29 % 61;
  cudaMemcpy(values, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemcpy(next, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(floats, 0, 3 * size * sizeof(float));
  const Arrays arrays = {floats, floats + size, floats + 2 * size};
  sort<<<1, 32>>>(values);
  ways<<<1, 1>>>(values, next, arrays, 5);
  ways<<<1, 32>>>(values, next, arrays, 7);
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 1; i < 4; ++i) std::printf("%d ", host[i]);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
