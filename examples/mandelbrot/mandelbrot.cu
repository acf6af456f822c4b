// Draws the Mandelbrot set: arithmetic with hardly any memory traffic. The image is stored coalesced,
// the palette is looked up in constant memory with an index that differs from lane to lane.
//   mandelbrot [width and height in pixels]
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../common/example.h"

constexpr int maxIterations = 64;
constexpr int colors = 16;
constexpr int tileSize = 16;

__constant__ std::uint32_t palette[colors];

/// Iterations until the orbit of pixel (x, y) leaves the circle of radius 2. Every operation is either a
/// single rounding or an explicit fma, so host and device agree bit for bit.
__host__ __device__ inline int escapeTime(int x, int y, int n) {
  const float scale = 3.0f / static_cast<float>(n);
  const float cx = fmaf(static_cast<float>(x), scale, -2.25f);
  const float cy = fmaf(static_cast<float>(y), scale, -1.5f);
  float zx = 0, zy = 0;
  int iterations = 0;
  while (iterations < maxIterations && fmaf(zx, zx, zy * zy) <= 4.0f) {
    const float nextX = fmaf(zx, zx, fmaf(-zy, zy, cx));
    zy = fmaf(2 * zx, zy, cy);
    zx = nextX;
    ++iterations;
  }
  return iterations;
}

__global__ void draw(std::uint32_t* __restrict__ image, int n) {
  const int x = blockIdx.x * tileSize + threadIdx.x;
  const int y = blockIdx.y * tileSize + threadIdx.y;
  if (x < n && y < n) image[y * n + x] = palette[escapeTime(x, y, n) % colors];
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 128, 16384);
  const std::size_t pixels = static_cast<std::size_t>(n) * n;
  const std::size_t bytes = pixels * sizeof(std::uint32_t);

  std::uint32_t rgb[colors];
  for (unsigned i = 0; i < colors; ++i) rgb[i] = i * 0x100804u + 0x0f0f0fu;
  CUDA_CHECK(cudaMemcpyToSymbol(palette, rgb, sizeof rgb));

  std::uint32_t* deviceImage = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceImage, bytes));
  const dim3 block(tileSize, tileSize);
  const dim3 grid(divideRoundingUp(n, tileSize), divideRoundingUp(n, tileSize));
  draw<<<grid, block>>>(deviceImage, n);
  CUDA_CHECK(cudaGetLastError());
  std::vector<std::uint32_t> image(pixels);
  CUDA_CHECK(cudaMemcpy(image.data(), deviceImage, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceImage));

  bool correct = true;
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      correct = correct && image[static_cast<std::size_t>(y) * n + x] == rgb[escapeTime(x, y, n) % colors];
  return report("mandelbrot", n, correct);
}
