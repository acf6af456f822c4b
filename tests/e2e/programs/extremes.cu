// DPX: extremes and sums of two and three operands, of words and of halves.
#include "check.h"

constexpr int threads = 32;

__global__ void words(const int* in, int* out) {
  const int a = in[0], b = in[1], c = in[2];
  bool first = false, other = true;
  out[0] = __vimax3_s32(a, b, c);
  out[1] = __vimin3_s32(a, b, c);
  out[2] = static_cast<int>(__vimax3_u32(a, b, c));
  out[3] = static_cast<int>(__vimin3_u32(a, b, c));
  out[4] = __vimax3_s32_relu(a, a, a);
  out[5] = __vimin3_s32_relu(a, b, c);
  out[6] = __viaddmax_s32(a, b, c);
  out[7] = __viaddmin_s32(a, b, c);
  out[8] = __viaddmax_s32(0x7fffffff, 1, c);
  out[9] = static_cast<int>(__viaddmax_u32(a, b, c));
  out[10] = static_cast<int>(__viaddmin_u32(a, b, c));
  out[11] = __viaddmax_s32_relu(a, -1, a);
  out[12] = __viaddmin_s32_relu(b, c, 100);
  out[13] = __vimax_s32_relu(a, -1);
  out[14] = __vimin_s32_relu(b, c);
  out[15] = __vibmax_s32(a, b, &first);
  out[15] += first ? 1000 : 2000;
  out[16] = __vibmin_s32(b, b, &other);
  out[16] += other ? 1000 : 2000;
  out[17] = static_cast<int>(__vibmax_u32(a, b, &first));
  out[17] += first ? 1000 : 2000;
  out[18] = static_cast<int>(__vibmin_u32(a, b, &first));
  out[18] += first ? 1000 : 2000;
}

// Not those of halves with conditions, which ptxas 13.0 computes wrong for constants: the host does, below.
__global__ void halves(unsigned* out) {
  const unsigned a = 0x0005fffd, b = 0xfffe0002, c = 0x00030001;  // (5, -3), (-2, 2), (3, 1)
  out[0] = __vimax3_s16x2(a, b, c);
  out[1] = __vimin3_s16x2(a, b, c);
  out[2] = __vimax3_u16x2(a, b, c);
  out[3] = __vimin3_u16x2(a, b, c);
  out[4] = __vimin3_s16x2_relu(a, b, c);
  out[5] = __viaddmax_s16x2(a, b, c);
  out[6] = __viaddmin_s16x2(a, b, c);
  out[7] = __viaddmax_u16x2(a, b, c);
  out[8] = __viaddmin_u16x2(a, b, c);
  out[9] = __viaddmin_s16x2_relu(a, b, c);
  out[10] = __vimax_s16x2_relu(a, b);
  out[11] = __vimin_s16x2_relu(a, c);
}

// The best score of a diagonal, as in an alignment: each lane has a cell of it.
__global__ void align(const int* diagonal, const int* score, int* best) {
  const int i = threadIdx.x;
  best[i] = __viaddmax_s32_relu(diagonal[i], score[i], diagonal[(i + 1) % threads]);
}

int main() {
  int *in, *out;
  CUDA_CHECK(cudaMallocManaged(&in, 2 * threads * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&out, threads * sizeof(int)));
  in[0] = -7;
  in[1] = 4;
  in[2] = 9;
  words<<<1, 1>>>(in, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  const int expected[] = {9, -7, -7, 4, 0, 0, 9, -3, 9, -3, 9, 0, 13, 0, 4, 2004, 1004, 993, 2004};
  for (int i = 0; i < 19; ++i) EXPECT(out[i] == expected[i]);

  halves<<<1, 1>>>(reinterpret_cast<unsigned*>(out));
  CUDA_CHECK(cudaDeviceSynchronize());
  const unsigned packed[] = {0x00050002, 0xfffefffd, 0xfffefffd, 0x00030001, 0x00000000, 0x00030001,
                             0x0003ffff, 0x0003ffff, 0x00030001, 0x00030000, 0x00050002, 0x00030000};
  for (int i = 0; i < 12; ++i) EXPECT(static_cast<unsigned>(out[i]) == packed[i]);
  bool high = false, low = true;
  EXPECT(__vibmax_s16x2(0x0005fffd, 0xfffe0002, &high, &low) == 0x00050002 && high && !low);
  EXPECT(__vibmin_s16x2(0x0005fffd, 0xfffe0002, &high, &low) == 0xfffefffd && !high && low);

  for (int i = 0; i < threads; ++i) {
    in[i] = i - 8;
    in[threads + i] = i % 2 == 0 ? 3 : -2;
  }
  align<<<1, threads>>>(in, in + threads, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    const int sum = i - 8 + (i % 2 == 0 ? 3 : -2), next = (i + 1) % threads - 8;
    EXPECT(out[i] == (sum > next ? (sum > 0 ? sum : 0) : next > 0 ? next : 0));
  }
  return verdict();
}
