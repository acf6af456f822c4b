// Kernels that are hard on a recorder, each a program of its own: stress <name> [size]. Each checks its own result and
// prints "right"; stress.py says what its trace must hold.
#include <cooperative_groups.h>
#include <cuda/atomic>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

static int* device(std::size_t count) {
  int* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(int)));
  CHECK(cudaMemset(memory, 0, count * sizeof(int)));
  return memory;
}
static std::vector<int> host(const int* memory, std::size_t count) {
  std::vector<int> copy(count);
  CHECK(cudaMemcpy(copy.data(), memory, count * sizeof(int), cudaMemcpyDeviceToHost));
  return copy;
}

/// Many records from every warp: two a round.
__global__ void rounds(int* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < count; ++k) out[i] = out[i] + 1;
}
static bool runRounds(int size) {
  constexpr int threads = 132 * 1024;
  int* out = device(threads);
  rounds<<<132, 1024>>>(out, size);
  for (const int value : host(out, threads))
    if (value != size) return false;
  return true;
}

/// All blocks meet at grid-wide barriers, with records held between them.
__global__ void gridBarriers(int* out, int count) {
  const cg::grid_group grid = cg::this_grid();
  const int i = static_cast<int>(grid.thread_rank()), n = static_cast<int>(grid.size());
  for (int k = 0; k < count; ++k) {
    out[(k % 2 + 1) * n + i] = out[k % 2 * n + (i + 33) % n] + k;
    grid.sync();
    out[i] = out[n + i];
    grid.sync();
  }
}
static bool runGridBarriers(int size) {
  int* out = device(3 * 132 * 256);
  void* arguments[] = {&out, &size};
  CHECK(cudaLaunchCooperativeKernel(gridBarriers, dim3(132), dim3(256), arguments, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  return true;
}

/// A kernel that runs until the host says stop, recording all the time.
__global__ void persistent(volatile int* stop, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (*stop == 0) out[i] += 1;
}
static bool runPersistent(int milliseconds) {
  int *stop, *mapped;
  CHECK(cudaHostAlloc(&stop, sizeof(int), cudaHostAllocMapped));
  *stop = 0;
  CHECK(cudaHostGetDevicePointer(&mapped, stop, 0));
  int* out = device(132 * 128);
  persistent<<<132, 128>>>(mapped, out);
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  *reinterpret_cast<volatile int*>(stop) = 1;
  CHECK(cudaDeviceSynchronize());
  for (const int value : host(out, 132 * 128))
    if (value <= 0) return false;
  return true;
}

/// Waits, in another stream, for what a kernel that comes later does.
__global__ void waitFor(int* flag, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  while (ready.load(cuda::memory_order_acquire) == 0) {
  }
  out[threadIdx.x] = *flag;
}
__global__ void setFlag(int* flag, int* scratch) {
  scratch[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).store(7, cuda::memory_order_release);
}
static bool runFlags(int size) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  // Loaded when first launched, which would wait for the kernel that waits for it.
  setFlag<<<1, 64>>>(device(1), device(64));
  for (int k = 0; k < size; ++k) {
    int *flag = device(1), *out = device(64), *scratch = device(64);
    waitFor<<<1, 64, 0, streams[0]>>>(flag, out);
    setFlag<<<1, 64, 0, streams[1]>>>(flag, scratch);
    CHECK(cudaDeviceSynchronize());
    for (const int value : host(out, 64))
      if (value != 7) return false;
  }
  return true;
}

/// All the shared memory that a block can have, and all the threads.
__global__ void allShared(int* out, int words) {
  extern __shared__ int memory[];
  for (int i = threadIdx.x; i < words; i += blockDim.x) memory[i] = i;
  __syncthreads();
  int sum = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) sum += memory[words - 1 - i];
  atomicAdd(out, sum);
}
static bool runAllShared(int) {
  int bytes = 0;
  CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CHECK(cudaFuncSetAttribute(allShared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  int* out = device(1);
  const int words = bytes / 4;
  allShared<<<132, 1024, static_cast<std::size_t>(bytes)>>>(out, words);
  const unsigned expected = 132u * static_cast<unsigned>((static_cast<long long>(words) * (words - 1) / 2) & 0xffffffff);
  return static_cast<unsigned>(host(out, 1)[0]) == expected;
}

/// Lanes that leave early, and lanes that never come together again.
__global__ void apart(int* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  if (lane >= 24) return;
  for (int k = 0; k < rounds; ++k) {
    if ((k * 7 + lane) % 5 == 0) continue;
    if ((k + lane) % 3 == 0) {
      out[i] += 1;
    } else {
      out[i] += 2;
      if ((k ^ lane) % 11 == 0) out[i] -= 1;
    }
  }
}
static bool runApart(int size) {
  constexpr int threads = 264 * 256;
  int* out = device(threads);
  apart<<<264, 256>>>(out, size);
  const std::vector<int> values = host(out, threads);
  for (int i = 0; i < threads; ++i) {
    const int lane = i % 256 % 32;
    int expected = 0;
    for (int k = 0; k < size && lane < 24; ++k) {
      if ((k * 7 + lane) % 5 == 0) continue;
      expected += (k + lane) % 3 == 0 ? 1 : (k ^ lane) % 11 == 0 ? 1 : 2;
    }
    if (values[i] != expected) return false;
  }
  return true;
}

/// Blocks of a cluster write to each other's shared memory.
__global__ void __cluster_dims__(2, 1, 1) cluster(int* out) {
  __shared__ int mine[128];
  cg::cluster_group group = cg::this_cluster();
  int* other = group.map_shared_rank(mine, group.block_rank() ^ 1);
  other[threadIdx.x] = static_cast<int>(blockIdx.x * 1000 + threadIdx.x);
  group.sync();
  out[blockIdx.x * blockDim.x + threadIdx.x] = mine[threadIdx.x];
  group.sync();
}
static bool runCluster(int) {
  int* out = device(64 * 128);
  cluster<<<64, 128>>>(out);
  const std::vector<int> values = host(out, 64 * 128);
  for (int i = 0; i < 64 * 128; ++i)
    if (values[i] != static_cast<int>((i / 128 ^ 1) * 1000 + i % 128)) return false;
  return true;
}

/// Two kernels that can only end if both are there at once.
__global__ void meet(int* counters, int mine) {
  if (threadIdx.x == 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device>(counters[mine]).store(1, cuda::memory_order_release);
    cuda::atomic_ref<int, cuda::thread_scope_device> other(counters[mine ^ 1]);
    while (other.load(cuda::memory_order_acquire) == 0) {
    }
  }
  __syncthreads();
  counters[2 + mine * 64 + threadIdx.x] = mine + 1;
}
static bool runMeet(int size) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int k = 0; k < size; ++k) {
    int* counters = device(2 + 128);
    for (int s = 0; s < 2; ++s) meet<<<1, 64, 0, streams[s]>>>(counters, s);
    CHECK(cudaDeviceSynchronize());
    const std::vector<int> values = host(counters, 130);
    for (int i = 0; i < 128; ++i)
      if (values[2 + i] != i / 64 + 1) return false;
  }
  return true;
}

/// Values that live in registers across the recorder's calls, in functions that are called: directly, by way of a
/// table, and of a class's own.
__device__ __noinline__ int mixOf(const int* in, int i, int depth) {
  int values[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) values[k] = i * (k + 3) ^ depth;
  const int read = in[i];
#pragma unroll
  for (int k = 0; k < 12; ++k) values[k] = values[k] * 31 + read;
  const int again = in[i ^ 1];
  int sum = again;
#pragma unroll
  for (int k = 0; k < 12; ++k) sum = sum * 17 ^ values[k];
  return sum;
}
__device__ __noinline__ int outer(const int* in, int i, int depth) {
  const int mine = in[i] * 5 + depth;
  return mine ^ mixOf(in, i, depth + mine % 3);
}
using Step = int (*)(const int*, int, int);
__device__ Step steps[] = {mixOf, outer};
struct Mixer {
  int depth;
  __device__ explicit Mixer(int from) : depth(from) {}
  __device__ virtual int mix(const int* in, int i) const { return in[i] + depth; }
};
struct OuterMixer : Mixer {
  __device__ explicit OuterMixer(int from) : Mixer(from) {}
  __device__ int mix(const int* in, int i) const override { return outer(in, i, depth) - depth; }
};
__global__ void called(const int* in, int* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Mixer plain(i % 7);
  const OuterMixer derived(i % 5);
  const Mixer& one = i % 2 ? plain : static_cast<const Mixer&>(derived);
  int kept[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) kept[k] = i + k * 1000;
  for (int r = 0; r < rounds; ++r) {
#pragma unroll
    for (int k = 0; k < 8; ++k) kept[k] += in[(i + k) & 255] >> k;
    kept[r & 7] ^= steps[(r + i / 32) & 1](in, i & 255, r);
    kept[(r + 3) & 7] += one.mix(in, i & 255);
  }
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 8; ++k) sum = sum * 33 + kept[k];
  out[i] = sum;
}
/// The same on the host: there the functions are called plainly.
static int mixOnHost(const std::vector<int>& in, int i, int depth) {
  unsigned values[12];
  for (int k = 0; k < 12; ++k) values[k] = static_cast<unsigned>(i * (k + 3) ^ depth);
  for (unsigned& value : values) value = value * 31 + static_cast<unsigned>(in[i]);
  unsigned sum = static_cast<unsigned>(in[i ^ 1]);
  for (const unsigned value : values) sum = sum * 17 ^ value;
  return static_cast<int>(sum);
}
static int outerOnHost(const std::vector<int>& in, int i, int depth) {
  const int mine = in[i] * 5 + depth;
  return mine ^ mixOnHost(in, i, depth + mine % 3);
}
static bool runCalled(int size) {
  constexpr int threads = 264 * 128;
  std::vector<int> in(256);
  for (int i = 0; i < 256; ++i) in[i] = i * 37 % 251 + 1;
  int *from = device(256), *out = device(threads);
  CHECK(cudaMemcpy(from, in.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
  called<<<264, 128>>>(from, out, size);
  const std::vector<int> values = host(out, threads);
  for (int i = 0; i < threads; ++i) {
    unsigned kept[8];
    for (int k = 0; k < 8; ++k) kept[k] = static_cast<unsigned>(i + k * 1000);
    for (int r = 0; r < size; ++r) {
      for (int k = 0; k < 8; ++k) kept[k] += static_cast<unsigned>(in[(i + k) & 255] >> k);
      const int at = i & 255;
      kept[r & 7] ^= static_cast<unsigned>((r + i / 32) & 1 ? outerOnHost(in, at, r) : mixOnHost(in, at, r));
      kept[(r + 3) & 7] += static_cast<unsigned>(i % 2 ? in[at] + i % 7 : outerOnHost(in, at, i % 5) - i % 5);
    }
    unsigned sum = 0;
    for (const unsigned value : kept) sum = sum * 33 + value;
    if (values[i] != static_cast<int>(sum)) return false;
  }
  return true;
}

/// Small launches from several host threads.
__global__ void small(int* out) {
  out[threadIdx.x] += 1;
}
static bool runThreads(int size) {
  std::atomic<bool> right{true};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&right, size] {
      cudaStream_t stream;
      CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      int* out = device(32);
      for (int k = 0; k < size; ++k) small<<<1, 32, 0, stream>>>(out);
      CHECK(cudaStreamSynchronize(stream));
      for (const int value : host(out, 32))
        if (value != size) right = false;
    });
  for (std::thread& thread : threads) thread.join();
  return right;
}

/// More small launches than the device's table of counts has room for, and nobody waits until all are made.
static bool runStorm(int size) {
  int* out = device(32);
  for (int k = 0; k < size; ++k) small<<<1, 32>>>(out);
  for (const int value : host(out, 32))
    if (value != size) return false;
  return true;
}
/// The same beside a kernel that runs as long as they do.
static bool runStormBeside(int size) {
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  int *flag = device(1), *waited = device(64), *scratch = device(64), *out = device(32);
  setFlag<<<1, 64>>>(device(1), scratch);
  small<<<1, 32>>>(out);
  CHECK(cudaDeviceSynchronize());
  waitFor<<<1, 64, 0, streams[0]>>>(flag, waited);
  for (int k = 1; k < size; ++k) small<<<1, 32, 0, streams[1]>>>(out);
  setFlag<<<1, 64, 0, streams[1]>>>(flag, scratch);
  CHECK(cudaDeviceSynchronize());
  for (const int value : host(out, 32))
    if (value != size) return false;
  return host(waited, 1)[0] == 7;
}

int main(int argc, char** argv) {
  struct {
    const char* name;
    bool (*run)(int size);
    int size;
  } const programs[] = {{"rounds", runRounds, 200},   {"grid_barriers", runGridBarriers, 20}, {"persistent", runPersistent, 2000},
                        {"flags", runFlags, 20},      {"all_shared", runAllShared, 0},        {"apart", runApart, 400},
                        {"cluster", runCluster, 0},   {"meet", runMeet, 20},                  {"threads", runThreads, 1000},
                        {"called", runCalled, 20},    {"storm", runStorm, 200000},            {"storm_beside", runStormBeside, 20000}};
  for (const auto& program : programs)
    if (argc > 1 && std::strcmp(argv[1], program.name) == 0) {
      const bool right = program.run(argc > 2 ? std::atoi(argv[2]) : program.size) && cudaGetLastError() == cudaSuccess;
      std::puts(right ? "right" : "wrong");
      return right ? 0 : 1;
    }
  return 2;
}
