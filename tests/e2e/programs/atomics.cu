// Atomics on global and shared memory, with what they return; loads and stores by intrinsic.
#include "check.h"

__global__ void atomics(unsigned* u, int* s, unsigned long long* w, float* f, double* d, unsigned* order) {
  __shared__ unsigned tickets;
  const unsigned t = threadIdx.x;
  if (t == 0) tickets = 0;
  __syncthreads();
  order[atomicAdd(&tickets, 1u)] = t;  // every ticket once
  atomicAdd(u, t);
  atomicSub(u + 1, 1u);
  atomicExch(&u[2], 9u);
  atomicMin(&u[3], t + 5);
  atomicMax(&u[4], t);
  atomicInc(&u[5], 5u);
  atomicDec(&u[6], 100u);
  atomicAnd(&u[7], ~(1u << t));
  atomicOr(&u[8], 1u << t);
  atomicXor(&u[9], 1u);
  atomicMin(&s[0], -static_cast<int>(t));
  atomicAdd(&s[1], -2);
  if (atomicCAS(&s[2], 0, static_cast<int>(t) + 1) == 0) atomicAdd(&s[3], 1);  // one winner
  atomicAdd(w, 1ull << 33);
  atomicMax(&w[1], static_cast<unsigned long long>(t) << 40);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

__global__ void intrinsics(const float* __restrict__ in, float* out) {
  const int t = threadIdx.x;
  out[t] = __ldg(in + t) + __ldg(&in[t + 32]);
  __stcs(&out[t + 32], __ldcg(&in[t]));
  const float4 four = __ldg(reinterpret_cast<const float4*>(in) + t % 8);
  __threadfence();
  out[t + 64] = four.y;
}

__global__ void ordered(int* i, float* f) {
  __nv_atomic_fetch_add(&i[0], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(&i[1], static_cast<int>(threadIdx.x), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_add(f, 0.5f, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
  __syncthreads();
  int expected = 64;
  if (threadIdx.x == 0)
    __nv_atomic_compare_exchange_n(&i[0], &expected, 7, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                   __NV_THREAD_SCOPE_DEVICE);
  __syncthreads();
  __nv_atomic_store_n(&i[2], __nv_atomic_load_n(&i[0], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE),
                      __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

int main() {
  unsigned u[10] = {0, 100, 0, 50, 0, 0, 50, ~0u, 0, 0};
  int s[4] = {};
  unsigned long long w[2] = {};
  float f = 0;
  double d = 0;
  unsigned order[32];
  unsigned *deviceU = nullptr, *deviceOrder = nullptr;
  int* deviceS = nullptr;
  unsigned long long* deviceW = nullptr;
  float* deviceF = nullptr;
  double* deviceD = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceU, sizeof u));
  CUDA_CHECK(cudaMalloc(&deviceS, sizeof s));
  CUDA_CHECK(cudaMalloc(&deviceW, sizeof w));
  CUDA_CHECK(cudaMalloc(&deviceF, 128 * sizeof f));
  CUDA_CHECK(cudaMalloc(&deviceD, sizeof d));
  CUDA_CHECK(cudaMalloc(&deviceOrder, sizeof order));
  CUDA_CHECK(cudaMemcpy(deviceU, u, sizeof u, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(deviceS, 0, sizeof s));
  CUDA_CHECK(cudaMemset(deviceW, 0, sizeof w));
  CUDA_CHECK(cudaMemset(deviceF, 0, sizeof f));
  CUDA_CHECK(cudaMemset(deviceD, 0, sizeof d));
  atomics<<<1, 32>>>(deviceU, deviceS, deviceW, deviceF, deviceD, deviceOrder);
  CUDA_CHECK(cudaMemcpy(u, deviceU, sizeof u, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(s, deviceS, sizeof s, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(w, deviceW, sizeof w, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&f, deviceF, sizeof f, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&d, deviceD, sizeof d, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(order, deviceOrder, sizeof order, cudaMemcpyDeviceToHost));

  unsigned seen = 0;
  for (const unsigned thread : order) seen |= 1u << thread;
  EXPECT(seen == ~0u);
  EXPECT(u[0] == 496 && u[1] == 68 && u[2] == 9 && u[3] == 5 && u[4] == 31);
  EXPECT(u[5] == 32 % 6);  // counts 0 to 5, then starts again
  EXPECT(u[6] == 50 - 32);
  EXPECT(u[7] == 0 && u[8] == ~0u && u[9] == 0);
  EXPECT(s[0] == -31 && s[1] == -64 && s[2] >= 1 && s[2] <= 32 && s[3] == 1);
  EXPECT(w[0] == 32ull << 33 && w[1] == 31ull << 40);
  EXPECT(f == 16.0f && d == 8.0);

  float in[64], out[96];
  for (int i = 0; i < 64; ++i) in[i] = i;
  float* deviceIn = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceIn, sizeof in));
  CUDA_CHECK(cudaMemcpy(deviceIn, in, sizeof in, cudaMemcpyHostToDevice));
  intrinsics<<<1, 32>>>(deviceIn, deviceF);
  CUDA_CHECK(cudaMemcpy(out, deviceF, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i)
    EXPECT(out[i] == 2 * i + 32 && out[i + 32] == i && out[i + 64] == i % 8 * 4 + 1);
  CUDA_CHECK(cudaMemset(deviceS, 0, sizeof s));
  CUDA_CHECK(cudaMemset(deviceF, 0, sizeof f));
  ordered<<<1, 32>>>(deviceS, deviceF);
  CUDA_CHECK(cudaMemcpy(s, deviceS, sizeof s, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&f, deviceF, sizeof f, cudaMemcpyDeviceToHost));
  EXPECT(s[0] == 7 && s[1] == 31 && s[2] == 7 && f == 16.0f);

  for (void* p : {(void*)deviceU, (void*)deviceS, (void*)deviceW, (void*)deviceF, (void*)deviceD,
                  (void*)deviceOrder, (void*)deviceIn})
    CUDA_CHECK(cudaFree(p));
  return verdict();
}
