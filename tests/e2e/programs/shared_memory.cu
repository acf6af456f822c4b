// Static and dynamic shared memory together, several declarators, several names for the dynamic part, and
// declarations whose size depends on a template argument.
#include "check.h"

extern __shared__ int pool[];  // at file scope: sized by the launch

template <class T, int Size>
__global__ void reverse(const T* in, T* out) {
  __shared__ T buffer[Size];
  buffer[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = buffer[Size - 1 - threadIdx.x];
}

__global__ void carve(int* out, int n) {
  __shared__ int low[16], high[16];
  __shared__ int count;
  int* even = pool;
  int* odd = pool + n;
  const int t = threadIdx.x;
  if (t == 0) count = n;
  low[t % 16] = 1;
  high[t % 16] = 2;
  even[t] = 2 * t;
  odd[t] = 2 * t + 1;
  __syncthreads();
  out[t] = even[n - 1 - t] + odd[n - 1 - t] + low[t % 16] + high[t % 16] + count;
}

__global__ void twoNames(float* out) {
  extern __shared__ float values[];
  extern __shared__ unsigned bits[];  // the same bytes
  values[threadIdx.x] = static_cast<float>(threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = bits[threadIdx.x] == __float_as_uint(static_cast<float>(threadIdx.x)) ? 1.0f : 0.0f;
}

__device__ int sumOfTable(const int (&table)[4][2][8]) {
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += table[i / 16][i / 8 % 2][i % 8];
  return sum;
}

__global__ void threeDimensions(int* out) {
  __shared__ int table[4][2][8];
  table[threadIdx.z][threadIdx.y][threadIdx.x] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
  __syncthreads();
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) *out = sumOfTable(table);
}

__shared__ int scratch[32];  // at file scope, used through a call

__device__ int rotated(int value) {
  scratch[threadIdx.x] = value;
  __syncthreads();
  return scratch[(threadIdx.x + 1) % 32];
}

__global__ void throughCall(int* out) {
  alignas(64) __shared__ char bytes[3];
  __shared__ union Both {
    float asFloat[8];
    unsigned asBits[16];
  } both;
  if (threadIdx.x < 16) both.asBits[threadIdx.x] = 0x3f800000;
  if (threadIdx.x < 3) bytes[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = rotated(threadIdx.x) + static_cast<int>(both.asFloat[threadIdx.x % 8]) + bytes[2];
}

int main() {
  int *ints = nullptr, *intsOut = nullptr;
  double *doubles = nullptr, *doublesOut = nullptr;
  CUDA_CHECK(cudaMalloc(&ints, 32 * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&intsOut, 32 * sizeof(int)));
  CUDA_CHECK(cudaMalloc((void**)&doubles, 64 * sizeof(double)));
  CUDA_CHECK(cudaMalloc((void**)&doublesOut, 64 * sizeof(double)));
  int hostInts[32];
  double hostDoubles[64];
  for (int i = 0; i < 32; ++i) hostInts[i] = i;
  for (int i = 0; i < 64; ++i) hostDoubles[i] = i / 2.0;
  CUDA_CHECK(cudaMemcpy(ints, hostInts, sizeof hostInts, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(doubles, hostDoubles, sizeof hostDoubles, cudaMemcpyHostToDevice));

  reverse<int, 32><<<1, 32>>>(ints, intsOut);
  reverse<double, 64><<<1, 64>>>(doubles, doublesOut);
  CUDA_CHECK(cudaMemcpy(hostInts, intsOut, sizeof hostInts, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostDoubles, doublesOut, sizeof hostDoubles, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(hostInts[i] == 31 - i);
  for (int i = 0; i < 64; ++i) EXPECT(hostDoubles[i] == (63 - i) / 2.0);

  carve<<<1, 32, 64 * sizeof(int)>>>(intsOut, 32);
  CUDA_CHECK(cudaMemcpy(hostInts, intsOut, sizeof hostInts, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(hostInts[i] == 4 * (31 - i) + 1 + 3 + 32);

  float* floats = reinterpret_cast<float*>(intsOut);
  twoNames<<<1, 32, 32 * sizeof(float)>>>(floats);
  float hostFloats[32];
  CUDA_CHECK(cudaMemcpy(hostFloats, floats, sizeof hostFloats, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(hostFloats[i] == 1.0f);

  threeDimensions<<<1, dim3(8, 2, 4)>>>(intsOut);
  CUDA_CHECK(cudaMemcpy(hostInts, intsOut, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(hostInts[0] == 32 * (7 + 10 * 1 + 100 * 3));  // 64 times the mean of each digit

  throughCall<<<1, 32>>>(intsOut);
  CUDA_CHECK(cudaMemcpy(hostInts, intsOut, sizeof hostInts, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(hostInts[i] == (i + 1) % 32 + 2);

  for (void* p : {(void*)ints, (void*)intsOut, (void*)doubles, (void*)doublesOut}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
