// Inline assembly: operands of all kinds, registers of its own, loads and stores, the warp's instructions, tiles
// for tensor cores; in functions, templates and macros.
#include "check.h"

constexpr int side = 32;

__device__ unsigned laneOf() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

#define ADD_WITH(carry, to, a, b) asm volatile(carry ".u32 %0, %1, %2;" : "=r"(to) : "r"(a), "r"(b))
#define TWICE(...) __VA_ARGS__ __VA_ARGS__

// 64 bits in halves: the carry goes from one statement to the next.
__device__ unsigned long long addHalves(unsigned long long a, unsigned long long b) {
  unsigned low, high;
  ADD_WITH("add.cc", low, (unsigned)a, (unsigned)b);
  ADD_WITH("addc", high, (unsigned)(a >> 32), (unsigned)(b >> 32));
  unsigned long long sum;
  asm("mov.b64 %0, {%1, %2};" : "=l"(sum) : "r"(low), "r"(high));
  return sum;
}

template <int Shift>
__device__ unsigned rotated(unsigned x) {
  unsigned result;
  asm("shf.l.wrap.b32 %0, %1, %1, %2;" : "=r"(result) : "r"(x), "n"(Shift));
  return result;
}

__global__ void registers(const unsigned* in, unsigned long long* out) {
  const unsigned i = threadIdx.x;
  unsigned x = in[i], larger;
  asm("{\n\t"
      ".reg .pred p;\n\t"
      ".reg .u32 t<2>; // two of them\n\t"
      "shl.b32 t0, %1, 1;\n\t"
      "setp.gt.u32 p, t0, %2;\n\t"
      "@p mov.u32 %0, t0;\n\t"
      "@!p mov.u32 %0, %2;\n\t"
      "}"
      : "=r"(larger)
      : "r"(x), "r"(40u));
  TWICE(asm volatile("add.u32 %0, %0, 1;" : "+r"(x));)
  asm volatile("" ::: "memory");
  out[i] = addHalves(0xfffffff0ull + x, rotated<28>(larger)) + laneOf();
}

// Addresses in the window of shared memory, from assembly and from the toolkit's function.
__global__ void memory(const float* in, float* out, int* sum) {
  __shared__ float tile[side];
  unsigned at;
  asm("{ .reg .u64 p; cvta.to.shared.u64 p, %1; cvt.u32.u64 %0, p; }" : "=r"(at) : "l"(tile + threadIdx.x));
  float v, w;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(v) : "l"(in + threadIdx.x));
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(v) : "memory");
  asm volatile("bar.sync 0;");
  const unsigned other = (unsigned)__cvta_generic_to_shared(&tile[side - 1 - threadIdx.x]);
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(w) : "r"(other) : "memory");
  asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(w) : "f"(v), "f"(2.0f));
  asm volatile("st.global.f32 [%0], %1;" ::"l"(out + threadIdx.x), "f"(w) : "memory");
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(sum), "r"((int)threadIdx.x) : "memory");
}

__global__ void warps(unsigned* out) {
  const unsigned lane = laneOf();
  unsigned up, ballot, sum;
  asm volatile("{ .reg .pred p; shfl.sync.up.b32 %0|p, %1, 1, 0, 0xffffffff; @!p mov.b32 %0, 100; }" : "=r"(up) : "r"(lane));
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 5; vote.sync.ballot.b32 %0, p, -1; }" : "=r"(ballot) : "r"(lane));
  asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane));
  out[lane] = up + ballot + sum;
}

// A product of 16 x 16 and 16 x 8 halves: A has the row's number in column 0 and 1 in column 1, B the column's
// number in row 0 and the same plus 1 in row 1, so that D = row * column + column + 1.
__global__ void product(float* d) {
  __shared__ alignas(16) unsigned short a[16][16], b[8][16];  // b: by columns
  const unsigned lane = laneOf();
  for (unsigned i = lane; i < 256; i += side) a[i / 16][i % 16] = 0;
  for (unsigned i = lane; i < 128; i += side) b[i / 16][i % 16] = 0;
  __syncwarp();
  const auto half = [](float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
  };
  if (lane < 16) a[lane][0] = half(lane), a[lane][1] = half(1);
  if (lane < 8) b[lane][0] = half(lane), b[lane][1] = half(lane + 1);
  __syncwarp();
  unsigned fromA[4], fromB[2];
  // The addresses of rows: of A's upper half, its lower one, and those again 8 columns to the right.
  const unsigned rowA = (unsigned)__cvta_generic_to_shared(&a[lane % 16][lane / 16 * 8]);
  const unsigned rowB = (unsigned)__cvta_generic_to_shared(&b[lane % 8][lane / 8 % 2 * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(fromA[0]), "=r"(fromA[1]), "=r"(fromA[2]), "=r"(fromA[3])
               : "r"(rowA));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];" : "=r"(fromB[0]), "=r"(fromB[1]) : "r"(rowB));
  float sums[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
               : "r"(fromA[0]), "r"(fromA[1]), "r"(fromA[2]), "r"(fromA[3]), "r"(fromB[0]), "r"(fromB[1]));
  for (int i = 0; i < 4; ++i) d[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = sums[i];
}

int main() {
  unsigned* numbers;
  unsigned long long* wide;
  float *in, *out;
  int* sum;
  CUDA_CHECK(cudaMallocManaged(&numbers, side * sizeof *numbers));
  CUDA_CHECK(cudaMallocManaged(&wide, side * sizeof *wide));
  CUDA_CHECK(cudaMallocManaged(&in, side * sizeof *in));
  CUDA_CHECK(cudaMallocManaged(&out, 128 * sizeof *out));
  CUDA_CHECK(cudaMallocManaged(&sum, sizeof *sum));
  for (int i = 0; i < side; ++i) numbers[i] = i + 10, in[i] = i;
  *sum = 0;

  registers<<<1, side>>>(numbers, wide);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < side; ++i) {
    const unsigned x = i + 10, larger = 2 * x > 40 ? 2 * x : 40, turned = larger << 28 | larger >> 4;
    EXPECT(wide[i] == 0xfffffff0ull + x + 2 + turned + i);
  }

  memory<<<1, side>>>(in, out, sum);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < side; ++i) EXPECT(out[i] == 2.0f * i + (side - 1 - i));
  EXPECT(*sum == side * (side - 1) / 2);

  warps<<<1, side>>>(numbers);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (unsigned i = 0; i < side; ++i) EXPECT(numbers[i] == (i == 0 ? 100 : i - 1) + 31 + 496);

  product<<<1, side>>>(out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) EXPECT(out[i] == (i / 8) * (i % 8) + i % 8 + 1);
  return verdict();
}
