// Gravitational accelerations of all pairs of bodies. A block stages one tile of bodies after the other in
// dynamic shared memory; inside a tile all lanes read the same body, a broadcast.
//   nbody [bodies]
#include <cmath>
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int blockSize = 128;
constexpr float softening = 0.01f;  // squared length added to every distance

/// Adds to `sum` the pull of `other` (x, y, z, mass) on a body at `body`.
__host__ __device__ inline float3 withPull(float3 sum, float4 body, float4 other) {
  const float dx = other.x - body.x;
  const float dy = other.y - body.y;
  const float dz = other.z - body.z;
  const float distance = sqrtf(dx * dx + dy * dy + dz * dz + softening);
  const float pull = other.w / (distance * distance * distance);
  return make_float3(sum.x + dx * pull, sum.y + dy * pull, sum.z + dz * pull);
}

__global__ void accelerate(const float4* __restrict__ bodies, float4* __restrict__ acceleration, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 nobody = make_float4(0, 0, 0, 0);
  const float4 body = i < n ? bodies[i] : nobody;
  float3 sum = make_float3(0, 0, 0);
  for (int start = 0; start < n; start += blockDim.x) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? bodies[j] : nobody;
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) sum = withPull(sum, body, tile[k]);
    __syncthreads();
  }
  if (i < n) acceleration[i] = make_float4(sum.x, sum.y, sum.z, 0);
}

bool isClose(float value, float reference) {
  return std::fabs(value - reference) <= 1e-3f * std::fabs(reference) + 1e-4f;
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 512, 1 << 20);
  const std::size_t bytes = n * sizeof(float4);

  std::vector<float4> bodies(n), result(n);
  for (int i = 0; i < n; ++i)
    bodies[i] = make_float4(std::cos(0.1f * i), std::sin(0.1f * i), 0.001f * i, 1.0f / n);

  float4 *deviceBodies = nullptr, *deviceAcceleration = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceBodies, bytes));
  CUDA_CHECK(cudaMalloc(&deviceAcceleration, bytes));
  CUDA_CHECK(cudaMemcpy(deviceBodies, bodies.data(), bytes, cudaMemcpyHostToDevice));

  accelerate<<<divideRoundingUp(n, blockSize), blockSize, blockSize * sizeof(float4)>>>(
      deviceBodies, deviceAcceleration, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(result.data(), deviceAcceleration, bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceBodies));
  CUDA_CHECK(cudaFree(deviceAcceleration));

  bool correct = true;
  for (int i = 0; i < n; ++i) {
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; ++j) sum = withPull(sum, bodies[i], bodies[j]);
    correct =
        correct && isClose(result[i].x, sum.x) && isClose(result[i].y, sum.y) && isClose(result[i].z, sum.z);
  }
  return report("nbody", n, correct);
}
