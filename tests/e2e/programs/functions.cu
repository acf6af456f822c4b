// Recursion, host-device and constexpr functions, device math, and printf from a kernel.
#include <cmath>

#include "check.h"

struct Node {
  int value, left, right;  // children: indices, -1 for none
};

__device__ int sumOfTree(const Node* nodes, int at) {
  if (at < 0) return 0;
  return nodes[at].value + sumOfTree(nodes, nodes[at].left) + sumOfTree(nodes, nodes[at].right);
}

__host__ __device__ constexpr int element(const int* values, int i) {
  return values[i];
}
constexpr int primes[] = {2, 3, 5, 7};
static_assert(element(primes, 2) == 5, "stays usable in constant expressions");

__host__ __device__ float largest(const float* values, int n) {
  float best = values[0];
  for (int i = 1; i < n; ++i) best = fmaxf(best, values[i]);
  return best;
}

__global__ void callThem(const Node* nodes, const float* values, int n, float* out) {
  if (threadIdx.x == 0) {
    out[0] = sumOfTree(nodes, 0);
    printf("sum %d of %s, %.2f\n", static_cast<int>(out[0]), "a tree", 0.5);
  }
  if (threadIdx.x == 1) out[1] = largest(values, n);
}

__global__ void math(float* out) {
  const float x = 0.5f * threadIdx.x;
  float sine, cosine;
  sincosf(x, &sine, &cosine);
  out[0 * 4 + threadIdx.x] = sinf(x) - sine + cosf(x) - cosine;
  out[1 * 4 + threadIdx.x] = rsqrtf(x + 1) * sqrtf(x + 1) + expf(logf(x + 1)) - powf(x + 1, 1);
  out[2 * 4 + threadIdx.x] = __popc(0xf0u) + __clz(1) + __ffs(8) + __brev(1u) / 2147483648u + __mul24(3, 4);
  out[3 * 4 + threadIdx.x] = fminf(x, 1) + max(2, 3) + abs(-4) + __saturatef(x + 5) + floorf(2.75f) +
                             __fdividef(1, 4) + __int2float_rn(2) + fabs(-1.0) + fmaf(x, 0, 1);
}

int main() {
  const Node nodes[] = {{1, 1, 2}, {10, 3, -1}, {100, -1, -1}, {1000, -1, -1}};
  const float values[] = {3, 9, -1, 4};
  Node* deviceNodes = nullptr;
  float *deviceValues = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceNodes, sizeof nodes));
  CUDA_CHECK(cudaMalloc(&deviceValues, sizeof values));
  CUDA_CHECK(cudaMalloc(&out, 16 * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(deviceNodes, nodes, sizeof nodes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(deviceValues, values, sizeof values, cudaMemcpyHostToDevice));
  callThem<<<1, 2>>>(deviceNodes, deviceValues, 4, out);
  float result[16];
  CUDA_CHECK(cudaMemcpy(result, out, 2 * sizeof(float), cudaMemcpyDeviceToHost));
  EXPECT(result[0] == 1111);
  EXPECT(result[1] == largest(values, 4) && result[1] == 9);

  math<<<1, 4>>>(out);
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) {
    EXPECT(std::fabs(result[i]) < 1e-5f);
    EXPECT(std::fabs(result[4 + i] - 1) < 1e-5f);
    EXPECT(result[8 + i] == 4 + 31 + 4 + 1 + 12);
    EXPECT(result[12 + i] == std::fmin(0.5f * i, 1.0f) + 3 + 4 + 1 + 2 + 0.25f + 2 + 1 + 1);
  }
  CUDA_CHECK(cudaFree(deviceNodes));
  CUDA_CHECK(cudaFree(deviceValues));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
