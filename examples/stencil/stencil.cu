// Two steps of a five-point smoothing stencil on a square grid. A block stages its cells and a halo one
// cell wide in shared memory; cells on the grid's edge keep their value.
//   stencil [n]
#include <cstddef>
#include <utility>
#include <vector>

#include "../common/example.h"

constexpr int tileWidth = 32;
constexpr int tileHeight = 8;
constexpr int steps = 2;

__global__ void smooth(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[tileHeight + 2][tileWidth + 2];
  const int x = blockIdx.x * tileWidth + threadIdx.x;
  const int y = blockIdx.y * tileHeight + threadIdx.y;
  const int tx = threadIdx.x + 1;
  const int ty = threadIdx.y + 1;
  const int cell = y * n + x;

  if (x < n && y < n) {
    tile[ty][tx] = in[cell];
    if (tx == 1 && x > 0) tile[ty][0] = in[cell - 1];
    if (tx == tileWidth && x + 1 < n) tile[ty][tileWidth + 1] = in[cell + 1];
    if (ty == 1 && y > 0) tile[0][tx] = in[cell - n];
    if (ty == tileHeight && y + 1 < n) tile[tileHeight + 1][tx] = in[cell + n];
  }
  __syncthreads();
  if (x > 0 && y > 0 && x + 1 < n && y + 1 < n) {
    const float sides = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx];
    out[cell] = 0.5f * tile[ty][tx] + 0.125f * sides;
  }
}

void smoothOnHost(const std::vector<float>& in, std::vector<float>& out, int n) {
  for (int y = 1; y + 1 < n; ++y)
    for (int x = 1; x + 1 < n; ++x) {
      const std::size_t cell = static_cast<std::size_t>(y) * n + x;
      const float sides = in[cell - 1] + in[cell + 1] + in[cell - n] + in[cell + n];
      out[cell] = 0.5f * in[cell] + 0.125f * sides;
    }
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 128, 8192);
  const std::size_t cells = static_cast<std::size_t>(n) * n;
  const std::size_t bytes = cells * sizeof(float);

  // Small integers and weights that are powers of two: two steps are exact in float.
  std::vector<float> current(cells), result(cells);
  for (std::size_t i = 0; i < cells; ++i) current[i] = static_cast<float>(i * 7 % 257);
  std::vector<float> next = current;

  // Both buffers start with the input, so the edge is right in each.
  float *deviceCurrent = nullptr, *deviceNext = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceCurrent, bytes));
  CUDA_CHECK(cudaMalloc(&deviceNext, bytes));
  CUDA_CHECK(cudaMemcpy(deviceCurrent, current.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceNext, deviceCurrent, bytes, cudaMemcpyDeviceToDevice));

  const dim3 block(tileWidth, tileHeight);
  const dim3 grid(divideRoundingUp(n, tileWidth), divideRoundingUp(n, tileHeight));
  for (int step = 0; step < steps; ++step) {
    smooth<<<grid, block>>>(deviceCurrent, deviceNext, n);
    CUDA_CHECK(cudaGetLastError());
    std::swap(deviceCurrent, deviceNext);
    smoothOnHost(current, next, n);
    std::swap(current, next);
  }
  CUDA_CHECK(cudaMemcpy(result.data(), deviceCurrent, bytes, cudaMemcpyDeviceToHost));

  CUDA_CHECK(cudaFree(deviceCurrent));
  CUDA_CHECK(cudaFree(deviceNext));
  return report("stencil", n, result == current);
}
