// A program whose warps count on going in step, as before __syncwarp(): lanes add up what their neighbours have just
// written, behind fences only. Between the sums lanes part, and come together again, at a condition, in a loop that they
// leave one by one, and at half of their accesses. It checks its own sums and prints "right"; in_step.py says what its
// trace must hold.
#include <cstdio>
#include <vector>

#include "check.h"

constexpr int blocks = 256, warps = 4, rounds = 200, room = 1024;
/// Of a warp: as many zeros in front of its numbers as a sum reaches back.
constexpr int slots = 48;

__global__ void sums(const int* in, int* out, int* written) {
  __shared__ int all[warps * slots];
  const int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  int at = warp * slots + lane;
  all[at] = 0;
  at += 16;
  const int last = (warp + 1) * slots - 1, number = blockIdx.x * warps + warp;
  int total = 0;
  for (int i = number * rounds * 32 + lane; i < (number + 1) * rounds * 32; i += 32) {
    int count;
    if (in[i] >= 4)
      count = in[i] - 4;
    else
      count = 4 - in[i];
    all[at] = count;
    __threadfence_block();
    all[at] += all[at - 1];
    __threadfence_block();
    all[at] += all[at - 2];
    __threadfence_block();
    all[at] += all[at - 4];
    __threadfence_block();
    all[at] += all[at - 8];
    __threadfence_block();
    all[at] += all[at - 16];
    __threadfence_block();
    int next = all[at - 1];
    const int end = next + count;
    for (; next < end; ++next) written[number * room + next] = next;
    if ((lane & 1) != 0) written[number * room + room / 2 + lane] = all[at - 1];
    total += all[last];
    __threadfence_block();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

int main() {
  constexpr int count = blocks * warps * rounds * 32;
  std::vector<int> numbers(count);
  unsigned seed = 7;
  for (int& number : numbers) {
    seed = seed * 1664525u + 1013904223u;
    number = static_cast<int>(seed >> 28 & 7);
  }
  int *in, *out, *written;
  CHECK(cudaMalloc(&in, count * sizeof(int)));
  CHECK(cudaMalloc(&out, blocks * warps * 32 * sizeof(int)));
  CHECK(cudaMalloc(&written, blocks * warps * room * sizeof(int)));
  CHECK(cudaMemcpy(in, numbers.data(), count * sizeof(int), cudaMemcpyHostToDevice));
  sums<<<blocks, warps * 32>>>(in, out, written);
  std::vector<int> found(blocks * warps * 32);
  CHECK(cudaMemcpy(found.data(), out, found.size() * sizeof(int), cudaMemcpyDeviceToHost));
  for (int thread = 0; thread < blocks * warps * 32; ++thread) {
    int expected = 0;
    for (int i = 0; i < rounds * 32; ++i) {
      const int number = numbers[thread / 32 * rounds * 32 + i];
      expected += number >= 4 ? number - 4 : 4 - number;
    }
    if (found[thread] != expected) {
      std::puts("wrong");
      return 1;
    }
  }
  std::puts("right");
}
