// Recursion that needs nearly all of the stack that a program asked for, or of the default: with the recorder
// on that stack, too, it must go on as it does without. Prints what it found and exits 1 if a result is wrong
// or a launch fails.
#include <cstdio>

constexpr int lanes = 64;

/// Some 160 bytes of stack a turn: the array is indexed by what the compiler cannot know.
__device__ __noinline__ int descend(const int* steps, int depth) {
  volatile int kept[32];
  for (int i = 0; i < 32; ++i) kept[i] = depth + i;
  const int below = depth == 0 ? 0 : descend(steps, depth - 1);
  return kept[steps[depth] & 31] + below;
}

__global__ void walk(int* results, const int* steps, int depth) {
  results[threadIdx.x] = descend(steps, depth);
}

int expected(int depth) {
  int sum = 0;
  for (int d = 0; d <= depth; ++d) sum += d + (d & 31);
  return sum;
}

bool runs(int* results, const int* steps, int depth) {
  walk<<<1, lanes>>>(results, steps, depth);
  const cudaError_t error = cudaDeviceSynchronize();
  bool right = error == cudaSuccess;
  for (int lane = 0; right && lane < lanes; ++lane) right = results[lane] == expected(depth);
  std::printf("depth %d: %s\n", depth,
              error != cudaSuccess ? cudaGetErrorName(error)
              : right              ? "right"
                                   : "wrong");
  return right;
}

int main() {
  constexpr int deepest = 48;
  int *results = nullptr, *steps = nullptr;
  if (cudaMallocManaged(&results, lanes * sizeof(int)) != cudaSuccess ||
      cudaMallocManaged(&steps, (deepest + 1) * sizeof(int)) != cudaSuccess)
    return 1;
  for (int d = 0; d <= deepest; ++d) steps[d] = d;
  bool right = runs(results, steps, 4);
  right &= cudaDeviceSetLimit(cudaLimitStackSize, 12288) == cudaSuccess && runs(results, steps, deepest);
  return right ? 0 : 1;
}
