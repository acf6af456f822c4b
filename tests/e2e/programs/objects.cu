// Members through this, references, copies of structs and vector types, and the small forms of expressions.
#include "check.h"
#include "vector_type.cuh"

__global__ void accumulate(const float* values, Accumulator* accumulators, float* means, int n) {
  Accumulator& mine = accumulators[threadIdx.x];
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine.add(values[i]);
  means[threadIdx.x] = mine.mean();
  Accumulator copy = mine;
  copy.add(1);
  accumulators[threadIdx.x + blockDim.x] = copy;
}

__global__ void vectors(const float* in, float4* out, float3* small) {
  const int t = threadIdx.x;
  const float4 value = reinterpret_cast<const float4*>(in)[t];
  out[t] = make_float4(value.w, value.z, value.y, value.x);
  out[t].x += 1;
  small[t].y = small[t].x = value.x;
}

__global__ void forms(float* a, int* k, float* out) {
  const int t = threadIdx.x;
  exchange(a[2 * t], a[2 * t + 1]);
  const int before = k[t]++;
  --k[t];
  const float* p = a + 2 * t;
  const float first = *p++;
  float& target = out[t];
  target = t % 2 ? first : *p;
  target *= 2, target -= 1;
  out[t + 4] = out[t + 8] = sizeof(a[0]) + before;
  float* const last = &out[t + 12];
  *last = (((float*)k == nullptr) ? 0 : 3) + 0 * (__builtin_bit_cast(int, a[t]) & 1);
}

int main() {
  float hostIn[16];
  for (int i = 0; i < 16; ++i) hostIn[i] = i;
  float *in = nullptr, *out = nullptr;
  Accumulator* accumulators = nullptr;
  float4* wide = nullptr;
  float3* small = nullptr;
  int* numbers = nullptr;
  CUDA_CHECK(cudaMalloc(&in, sizeof hostIn));
  CUDA_CHECK(cudaMalloc(&out, sizeof hostIn));
  CUDA_CHECK(cudaMalloc(&accumulators, 8 * sizeof(Accumulator)));
  CUDA_CHECK(cudaMalloc(&wide, 4 * sizeof(float4)));
  CUDA_CHECK(cudaMalloc(&small, 4 * sizeof(float3)));
  CUDA_CHECK(cudaMalloc(&numbers, 4 * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(in, hostIn, sizeof hostIn, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(accumulators, 0, 8 * sizeof(Accumulator)));
  CUDA_CHECK(cudaMemset(small, 0, 4 * sizeof(float3)));
  CUDA_CHECK(cudaMemset(numbers, 0, 4 * sizeof(int)));

  accumulate<<<1, 4>>>(in, accumulators, out, 16);
  Accumulator totals[8];
  float result[16];
  CUDA_CHECK(cudaMemcpy(totals, accumulators, sizeof totals, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(result, out, 4 * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) {
    EXPECT(totals[i].total == 4 * i + 24 && totals[i].count == 4);
    EXPECT(totals[i + 4].total == 4 * i + 25 && totals[i + 4].count == 5);
    EXPECT(result[i] == i + 6);
  }

  vectors<<<1, 4>>>(in, wide, small);
  float4 hostWide[4];
  float3 hostSmall[4];
  CUDA_CHECK(cudaMemcpy(hostWide, wide, sizeof hostWide, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostSmall, small, sizeof hostSmall, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) {
    EXPECT(hostWide[i].x == 4 * i + 4 && hostWide[i].w == 4 * i);
    EXPECT(hostSmall[i].x == 4 * i && hostSmall[i].y == 4 * i && hostSmall[i].z == 0);
  }

  forms<<<1, 4>>>(in, numbers, out);
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) {
    EXPECT(result[i] == 2 * (i % 2 ? 2 * i + 1 : 2 * i) - 1);
    EXPECT(result[i + 4] == 4 && result[i + 8] == 4 && result[i + 12] == 3);
  }
  for (void* p : {(void*)in, (void*)out, (void*)accumulators, (void*)wide, (void*)small, (void*)numbers})
    CUDA_CHECK(cudaFree(p));
  return verdict();
}
