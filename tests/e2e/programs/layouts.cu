// Three kernels whose arrays can be laid out in two ways each: what `whatif` predicts from one build must be
// what the other build does. -DPADDED, -DARRAYS and -DSWAPPED choose the other layouts.
#include <cstdio>
#include <vector>

constexpr int side = 32, bodies = 4096, rows = 128, columns = 96;

#ifdef PADDED
constexpr int tileWidth = side + 1;
#else
constexpr int tileWidth = side;
#endif

/// One block of one warp: rows in, columns out.
__global__ void turn(const float* in, float* out) {
  __shared__ float tile[side][tileWidth];
  for (int r = 0; r < side; ++r) tile[r][threadIdx.x] = in[r * side + threadIdx.x];
  __syncthreads();
  for (int r = 0; r < side; ++r) out[r * side + threadIdx.x] = tile[threadIdx.x][r];
}

struct Body {
  float x, y, vx, vy, mass;
};

#ifdef ARRAYS
struct Bodies {
  float *x, *y, *vx, *vy, *mass;
};
#define FIELD(i, member) bodies.member[i]
#else
using Bodies = Body*;
#define FIELD(i, member) bodies[i].member
#endif

__global__ void drift(Bodies bodies) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  FIELD(i, x) += FIELD(i, vx);
  FIELD(i, y) += FIELD(i, vy);
}

/// One thread for each row.
__global__ void sumRows(const float* matrix, float* sums) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#ifdef SWAPPED
  for (int c = 0; c < columns; ++c) sum += matrix[c * rows + r];
#else
  for (int c = 0; c < columns; ++c) sum += matrix[r * columns + c];
#endif
  sums[r] = sum;
}

float* allocate(std::size_t count) {
  float* filled = nullptr;
  cudaMalloc(&filled, count * sizeof(float));
  cudaMemset(filled, 0, count * sizeof(float));
  return filled;
}

int main() {
  float* in = allocate(side * side);
  float* out = allocate(side * side);
  turn<<<1, side>>>(in, out);

#ifdef ARRAYS
  Bodies deviceBodies{allocate(bodies), allocate(bodies), allocate(bodies), allocate(bodies), allocate(bodies)};
#else
  Body* deviceBodies = nullptr;
  cudaMalloc(&deviceBodies, bodies * sizeof(Body));
  cudaMemset(deviceBodies, 0, bodies * sizeof(Body));
#endif
  drift<<<bodies / 256, 256>>>(deviceBodies);

  float* matrix = nullptr;
  cudaMalloc(&matrix, rows * columns * sizeof(float));
  cudaMemset(matrix, 0, rows * columns * sizeof(float));
  float* sums = allocate(rows);
  sumRows<<<rows / 32, 32>>>(matrix, sums);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
