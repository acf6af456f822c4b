// Loops that are recorded in front of them, with others in them and with variables that go on beside the one
// that counts. All they access is in one variable, so that addresses can be compared between builds.
#include "check.h"

constexpr int width = 64, depth = 5;
struct Memory {
  float a[width * width], b[width * width], c[width * width];
};
__device__ Memory memory;

// Four rows of a column each.
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  float sum[4] = {};
  for (int k = 0; k < n; ++k) {
    const float right = b[k * n + x];
#pragma unroll  // all four
    for (int row = 0; row < 4; ++row) sum[row] += a[(y + row) * n + k] * right;
  }
  for (unsigned row = 0; row < 4; ++row) c[(y + row) * n + x] = sum[row];
}

template <int Tile, int Own>
__global__ void multiplyTiled(const float* a, const float* b, float* c, int n) {
  __shared__ float left[Tile][Tile * Own], right[Tile][Tile];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * Tile + tx,
            y = blockIdx.y * Tile * Own + ty * Own;
  float sum[Own] = {}, own[Own];
  for (int step = 0; step < n; step += Tile) {
    for (int i = 0; i < Own; ++i) left[tx][ty * Own + i] = a[(y + i) * n + step + tx];
    right[ty][tx] = b[(step + ty) * n + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k) {
      for (int i = 0; i < Own; ++i) own[i] = left[k][ty * Own + i];
      const float factor = right[k][tx];
      for (int i = 0; i < Own; ++i)
        for (int half = 0; half < 2; ++half) sum[i] += own[i] * factor / 2;
    }
    __syncthreads();
  }
  for (int i = 0; i < Own; ++i) c[(y + i) * n + x] = sum[i];
}

// Neighbours in two directions, each time two of them, and down.
__global__ void neighbours(const float* a, float* c, int n) {
  const int x = threadIdx.x + 1;
  for (int y = n - 2; y > 0; --y) {
    float sum = 0;
    for (int dy = -1; dy <= 1; dy += 2)
      for (long dx = 1; dx >= -1; --dx) {
        sum += a[(y + dy) * n + x + dx] + a[(y + dy) * n + x];
        sum += a[y * n + x - dx];
      }
    c[y * n + x] = sum;
  }
}

// Lanes go round in ways of their own.
__global__ void unevenly(const float* a, float* c, int n) {
  const int times = threadIdx.x % 3;
  float sum = 0;
  for (int k = 0; k < times; ++k) {
    for (int i = 0; i < 3; ++i) sum += a[k * n + i * 4 + threadIdx.x];
  }
  c[threadIdx.x] = sum;
}

__global__ void march(const float* in, float* out, int nx, int nz) {
  const int x = threadIdx.x + 1, plane = 2 * nx;
  int i = nx + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    const float above = in[i + plane];
    out[i] = here + in[i - 1] + in[i + 1] + below + above;
    below = here;
    here = above;
  }
}
__global__ void pointers(const float* from, float* to, int n) {
  from += threadIdx.x;
  to += threadIdx.x + 32 * n;
  unsigned at = threadIdx.x;
  for (int k = 0; k < n; ++k, at += 2u * n, from += n) {
    const float first = *from;
    const int other = k * 2 + static_cast<int>(at);
    to -= 32;
    *to = first + from[1];
    for (int i = 0; i < 2; ++i) to[i * 32] += from[other - k + i * 3];
  }
  to[0] = static_cast<float>(at);
}

// Of these loops some accesses are told in front of them where only sums are kept.
__global__ void gather(const float* a, const float* at, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    c[i] = a[static_cast<int>(at[i])];
}
__global__ void tiles(const float* a, float* c, int count) {
  __shared__ float block[64];
  for (int t = blockIdx.x; t < count; t += gridDim.x) {
    const int i = 2 * (t * blockDim.x + threadIdx.x);
    block[threadIdx.x] = a[i] + a[i + 1];
    __syncthreads();
    if (threadIdx.x % 3 == 0) block[threadIdx.x] += 1;
    while (block[63] > 100) break;
    __syncthreads();
    c[i] = block[63 - threadIdx.x];
    __syncthreads();
  }
}
__global__ void rows(const float* at, const float* a, float* c, int n) {
  int out = threadIdx.x;
  for (int row = threadIdx.x; row < n; row += 32) {
    float sum = 0;
    for (int k = static_cast<int>(at[row]); k < row; ++k) sum += a[k * 3];
    c[out] = sum;
    if (sum > 2) atomicAdd(&c[row + 1], sum);
    out += 40;
  }
}

int main() {
  Memory* own = nullptr;
  CUDA_CHECK(cudaGetSymbolAddress(reinterpret_cast<void**>(&own), memory));
  static Memory host;
  for (int i = 0; i < width * width; ++i)
    host.a[i] = static_cast<float>(i % 7), host.b[i] = static_cast<float>(i % 5);
  CUDA_CHECK(cudaMemcpy(own, &host, sizeof host, cudaMemcpyHostToDevice));
  multiply<<<dim3(width / 32, 2), dim3(32, 8)>>>(own->a, own->b, own->c, width);
  CUDA_CHECK(cudaMemcpy(&host, own, sizeof host, cudaMemcpyDeviceToHost));
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += host.a[13 * width + k] * host.b[k * width + 21];
  EXPECT(host.c[13 * width + 21] == sum);
  multiplyTiled<8, 2><<<dim3(width / 8, width / 16), dim3(8, 8)>>>(own->a, own->b, own->c, width);
  CUDA_CHECK(cudaMemcpy(&host, own, sizeof host, cudaMemcpyDeviceToHost));
  EXPECT(host.c[13 * width + 21] == sum);
  neighbours<<<1, 32>>>(own->a, own->c, width);
  unevenly<<<1, 64>>>(own->a, own->c, width);
  march<<<1, 32>>>(own->a, own->c, width, width / 2);
  pointers<<<1, 32>>>(own->a, own->c, 24);
  gather<<<2, 64>>>(own->b, own->a, own->c, 1000);
  tiles<<<3, 64>>>(own->a, own->c, 10);
  rows<<<1, 32>>>(own->b, own->a, own->c, 90);
  CUDA_CHECK(cudaMemcpy(&host, own, sizeof host, cudaMemcpyDeviceToHost));
  float all = 0;
  for (const float one : host.c) all += one;
  std::printf("%.1f\n", all);
  return verdict();
}
