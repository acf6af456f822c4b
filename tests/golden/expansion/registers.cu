// 8 sites, 32 * 8 times once nvcc has unrolled the loops, in a kernel that keeps 64 words in registers: compactly, but for the
// branch in front of each call, which is left out, too, where the recorder is linked.
// nvcc: no, it takes seconds
// expect: #define CUI_MANY_SITES
// expect: #define CUI_MANY_REGISTERS
// expect: #define CUI_VERY_MANY_SITES
__global__ void mix(float* x) {
  float own[64] = {};
#pragma unroll
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 8; ++j) {
      x[i] += x[j] * own[i];
      x[i + j] += x[j + 1] * own[j];
      own[i + j] += x[j + 2] + x[i + 1];
      x[j + 3] = own[j];
      x[i + 3] = own[i + 32];
    }
}
void run(float* x) { mix<<<1, 1>>>(x); }
