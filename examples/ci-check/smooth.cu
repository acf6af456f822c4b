// A program with promises about its memory accesses, as comments behind them and in checks.toml.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int tileSize = 32;

/// The mean of each element and its neighbour below, transposed: through a tile, so that both sides of the
/// copy run along rows.
__global__ void smoothTransposed(const float* in, float* out, int n) {
  __shared__ float tile[tileSize][tileSize + 1];
  const int x = blockIdx.x * tileSize + threadIdx.x, y = blockIdx.y * tileSize + threadIdx.y;
  const int below = y + 1 < n ? y + 1 : y;
  // cui: sectors_per_request <= 4
  tile[threadIdx.y][threadIdx.x] = (in[y * n + x] + in[below * n + x]) / 2;
  __syncthreads();
  const int row = blockIdx.x * tileSize + threadIdx.y, column = blockIdx.y * tileSize + threadIdx.x;
  out[row * n + column] = tile[threadIdx.x][threadIdx.y];  // cui: sectors_per_request <= 4, bank_conflicts == 0
}

int main() {
  constexpr int n = 128;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; ++i) host[i] = static_cast<float>(i / n);
  float *in = nullptr, *out = nullptr;
  if (cudaMalloc(&in, n * n * sizeof(float)) != cudaSuccess || cudaMalloc(&out, n * n * sizeof(float)) != cudaSuccess)
    return EXIT_FAILURE;
  cudaMemcpy(in, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  smoothTransposed<<<dim3(n / tileSize, n / tileSize), dim3(tileSize, tileSize)>>>(in, out, n);
  const cudaError_t error = cudaMemcpy(host.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
  // Rows held their own number; a column of the result holds the mean of row and next row.
  const bool correct = error == cudaSuccess && host[0] == 0.5f && host[1] == 1.5f && host[n - 1] == n - 1;
  std::printf("%s\n", correct ? "correct" : "wrong");
  return correct ? EXIT_SUCCESS : EXIT_FAILURE;
}
