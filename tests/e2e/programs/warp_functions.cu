// Shuffles, votes, matches and __activemask(), whole warps and parts of them.
#include "check.h"

constexpr int tests = 16;

__global__ void warpFunctions(unsigned* out) {
  const unsigned all = 0xffffffffu;
  const unsigned lane = threadIdx.x % 32;
  unsigned result[tests] = {};
  result[0] = __shfl_sync(all, lane * 3, 5);
  result[1] = __shfl_up_sync(all, lane, 4);
  result[2] = __shfl_down_sync(all, lane, 8, 16);
  result[3] = __shfl_xor_sync(all, lane, 7);
  result[4] = __ballot_sync(all, lane % 3 == 0);
  result[5] = __any_sync(all, lane == 31) + 2 * __all_sync(all, lane < 31);
  result[6] = __match_any_sync(all, lane / 8);
  int same = 0;
  result[7] = __match_all_sync(all, 42, &same) == all && same;
  if (lane % 2 == 0) {
    result[8] = __activemask();
    result[9] = __shfl_sync(0x55555555u, lane, 30);
    __syncwarp(0x55555555u);
  }
  if (lane < 10) result[10] = __reduce_add_sync(0x3ffu, lane);
  const double half = __shfl_down_sync(all, lane / 2.0, 1);
  result[11] = static_cast<unsigned>(half * 2);
  const unsigned long long wide = __shfl_xor_sync(all, (1ull << 40) + lane, 1);
  result[12] = static_cast<unsigned>(wide >> 40) * 100 + static_cast<unsigned>(wide);
  result[13] = __popc(__ballot_sync(all, threadIdx.x & 1));
  unsigned sum = lane;
  for (int offset = 1; offset < 32; offset *= 2) {
    const unsigned below = __shfl_up_sync(all, sum, offset);
    if (lane >= offset) sum += below;
  }
  result[14] = sum;
  result[15] = __syncthreads_count(threadIdx.x % 4 == 0);
  for (int i = 0; i < tests; ++i) out[i * blockDim.x + threadIdx.x] = result[i];
}

int main() {
  constexpr int threads = 64;
  unsigned* out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, tests * threads * sizeof(unsigned)));
  warpFunctions<<<1, threads>>>(out);
  static unsigned r[tests][threads];
  CUDA_CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(out));
  for (unsigned t = 0; t < threads; ++t) {
    const unsigned lane = t % 32;
    EXPECT(r[0][t] == 15);
    EXPECT(r[1][t] == (lane < 4 ? lane : lane - 4));
    EXPECT(r[2][t] == (lane % 16 < 8 ? lane + 8 : lane));
    EXPECT(r[3][t] == (lane ^ 7));
    EXPECT(r[4][t] == 0x49249249u);
    EXPECT(r[5][t] == 1);
    EXPECT(r[6][t] == 0xffu << lane / 8 * 8);
    EXPECT(r[7][t] == 1);
    EXPECT(r[8][t] == (lane % 2 == 0 ? 0x55555555u : 0));
    EXPECT(r[9][t] == (lane % 2 == 0 ? 30 : 0));
    EXPECT(r[10][t] == (lane < 10 ? 45 : 0));
    EXPECT(r[11][t] == (lane < 31 ? lane + 1 : 31));
    EXPECT(r[12][t] == 100 + (lane ^ 1));
    EXPECT(r[13][t] == 16);
    EXPECT(r[14][t] == lane * (lane + 1) / 2);
    EXPECT(r[15][t] == threads / 4);
  }
  return verdict();
}
