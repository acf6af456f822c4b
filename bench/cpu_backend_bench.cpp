// What recording costs on the CPU backend: thread accesses per second of kernels instrumented as the
// rewriter would, records handed to a hostlib stand-in that counts and drops them. One worker.
#pragma GCC diagnostic ignored "-Wpedantic"        // the toolkit headers spell CUDA's interface:
#pragma GCC diagnostic ignored "-Wold-style-cast"  // C casts in macros, 128-bit products
#include "cuinstrument/instrument.h"
CUI_UNIT(0xbe9c, 17)

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <vector>

namespace {

std::uint64_t slotsSubmitted = 0;
int recordingOn = 1;

__global__ void vectorAdd(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) CUI_ACCESS(2, c[i]) = CUI_ACCESS(0, a[i]) + CUI_ACCESS(1, b[i]);
}

__global__ void vectorAddValues(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) CUI_STORE(2, c[i]) = CUI_LOAD(0, a[i]) + CUI_LOAD(1, b[i]);
}

__global__ void gather(const float* in, const int* index, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  CUI_ACCESS(5, out[i]) = CUI_ACCESS(4, in[CUI_ACCESS(3, index[i])]);
}

__global__ void transpose(const float* in, float* out, unsigned n) {
  __shared__ float tile[32][33];
  CUI_SHARED(0, tile);
  const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  CUI_ACCESS(7, tile[threadIdx.y][threadIdx.x]) = CUI_ACCESS(6, in[y * n + x]);
  __syncthreads();
  const unsigned tx = blockIdx.y * 32 + threadIdx.x, ty = blockIdx.x * 32 + threadIdx.y;
  CUI_ACCESS(9, out[ty * n + tx]) = CUI_ACCESS(8, tile[threadIdx.x][threadIdx.y]);
}

__global__ void rowSums(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned j = 0; j < n; ++j) sum += CUI_ACCESS(10, in[j * n + i]);
  CUI_ACCESS(11, out[i]) = sum;
}

__global__ void divergentRows(const float* in, float* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (unsigned j = 0; j < n; ++j) {
    if ((i + j) % 3 == 0)
      sum += CUI_ACCESS(0, in[j * n + i]);
    else
      sum -= CUI_ACCESS(1, in[j * n + i]);
  }
  CUI_ACCESS(2, out[i]) = sum;
}

__global__ void shuffleSum(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = CUI_ACCESS(0, in[i]);
  for (unsigned delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffffu, value, delta);
  if (threadIdx.x % 32 == 0) CUI_ACCESS(1, out[i / 32]) = value;
}

__global__ void matrixProduct(const float* a, const float* b, float* c, unsigned n) {
  __shared__ float tileA[32][32];
  CUI_SHARED(1, tileA);
  __shared__ float tileB[32][32];
  CUI_SHARED(2, tileB);
  const unsigned x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float sum = 0;
  for (unsigned first = 0; first < n; first += 32) {
    CUI_ACCESS(0, tileA[threadIdx.y][threadIdx.x]) = CUI_ACCESS(12, a[y * n + first + threadIdx.x]);
    CUI_ACCESS(1, tileB[threadIdx.y][threadIdx.x]) = CUI_ACCESS(13, b[(first + threadIdx.y) * n + x]);
    __syncthreads();
    for (unsigned k = 0; k < 32; ++k)
      sum += CUI_ACCESS(14, tileA[threadIdx.y][k]) * CUI_ACCESS(15, tileB[k][threadIdx.x]);
    __syncthreads();
  }
  CUI_ACCESS(16, c[y * n + x]) = sum;
}

/// A tree in shared memory, a barrier for each level.
__global__ void blockSum(const float* in, float* out) {
  __shared__ float part[256];
  CUI_SHARED(3, part);
  CUI_ACCESS(7, part[threadIdx.x]) = CUI_ACCESS(6, in[blockIdx.x * 256 + threadIdx.x]);
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) CUI_ACCESS(8, part[threadIdx.x]) += CUI_ACCESS(9, part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) CUI_ACCESS(10, out[blockIdx.x]) = CUI_ACCESS(11, part[0]);
}

constexpr unsigned side = 512, count = side * side;
std::vector<float> in(count), other(count), out(count);
std::vector<int> order(count);

#define RUN(kernel, grid, block, ...)                         \
  CUI_LAUNCH(0, kernel CUI_LAUNCH_OPEN(< < <) CUI_GRID(grid), \
             CUI_BLOCK(block) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

/// Counts thread accesses (and shuffles, where they are the point) and the slots they became.
void report(benchmark::State& state, double threadAccesses) {
  state.counters["accesses"] =
      benchmark::Counter(threadAccesses, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["slots"] = static_cast<double>(slotsSubmitted) / static_cast<double>(state.iterations());
}

template <class Launch>
void measure(benchmark::State& state, double threadAccesses, Launch launch) {
  recordingOn = static_cast<int>(state.range(0));
  slotsSubmitted = 0;
  for (auto _ : state) launch();
  report(state, threadAccesses);
}

void benchVectorAdd(benchmark::State& state) {
  measure(state, 3.0 * count,
          [] { RUN(vectorAdd, count / 256, 256, in.data(), other.data(), out.data(), int(count)); });
}
void benchValues(benchmark::State& state) {
  measure(state, 3.0 * count,
          [] { RUN(vectorAddValues, count / 256, 256, in.data(), other.data(), out.data(), int(count)); });
}
void benchGather(benchmark::State& state) {
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  measure(state, 3.0 * count, [] { RUN(gather, count / 256, 256, in.data(), order.data(), out.data()); });
}
void benchTranspose(benchmark::State& state) {
  measure(state, 4.0 * count,
          [] { RUN(transpose, dim3(side / 32, side / 32), dim3(32, 32), in.data(), out.data(), side); });
}
void benchLoop(benchmark::State& state) {
  measure(state, 1.0 * count, [] { RUN(rowSums, side / 128, 128, in.data(), out.data(), side); });
}
void benchDivergent(benchmark::State& state) {
  measure(state, 1.0 * count, [] { RUN(divergentRows, side / 128, 128, in.data(), out.data(), side); });
}
void benchShuffles(benchmark::State& state) {
  measure(state, 5.0 * count, [] { RUN(shuffleSum, count / 256, 256, in.data(), out.data()); });
}

void benchMatrixProduct(benchmark::State& state) {
  constexpr unsigned n = 256;
  measure(state, n * n * (2.0 * n + 4.0 * n / 32 + 1), [] {
    RUN(matrixProduct, dim3(n / 32, n / 32), dim3(32, 32), in.data(), other.data(), out.data(), n);
  });
}
void benchBlockSum(benchmark::State& state) {
  measure(state, (2 * 256 + 2 * 255 + 2.0) * count / 256,
          [] { RUN(blockSum, count / 256, 256, in.data(), out.data()); });
}

BENCHMARK(benchVectorAdd)->Name("vector_add")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchValues)->Name("vector_add_values")->ArgName("recording")->Arg(1);
BENCHMARK(benchGather)->Name("gather")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchTranspose)->Name("transpose_shared")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchLoop)->Name("column_sums_loop")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchDivergent)->Name("divergent_loop")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchShuffles)->Name("shuffles")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchMatrixProduct)->Name("matrix_product")->ArgName("recording")->Arg(1)->Arg(0);
BENCHMARK(benchBlockSum)->Name("block_sum")->ArgName("recording")->Arg(1)->Arg(0);

}  // namespace

// The stand-in for hostlib.
std::int64_t cuiNow(void) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
std::uint32_t cuiRegisterUnit(std::uint32_t, const cui::format::UnitTable*) {
  return 1;
}
int cuiRecording(void) {
  return recordingOn;
}
const CuiOptions* cuiOptions(void) {
  static const CuiOptions options = {64u << 20, 1000000000ull, 1, 1, 0, ~0u, ~0u, 0, 0, 0, 0, 0, 0};
  return &options;
}
std::uint64_t cuiLaunchBegin(const CuiLaunch*) {
  return 1;
}
int cuiLaunchSelected(const cui::format::UnitTable*, std::uint32_t, std::uint64_t) {
  return 1;
}
void cuiLaunchEnd(std::uint64_t, std::int64_t, int, const char*) {}
void cuiLaunchTime(std::uint64_t, std::int64_t, std::int64_t) {}
void cuiVariable(const cui::format::UnitTable*, std::uint32_t, std::uint64_t, std::uint64_t, std::int32_t) {}
void cuiSubmit(const void* slots, std::size_t slotCount) {
  benchmark::DoNotOptimize(slots);
  slotsSubmitted += slotCount;
}
void cuiStat(const char*, const char*, std::int64_t, std::uint64_t, const char*) {}
void cuiCounters(std::int32_t, const CuiCounter*, std::size_t) {}
void cuiFlush(void) {}
void cuiDevice(const CuiDevice*) {}
void cuiAllocated(const CuiAllocation*) {}
void cuiFreed(std::uint64_t, const char*, std::int64_t) {}
void cuiBeginInnerCalls(void) {}
void cuiEndInnerCalls(void) {}
int cuiInnerCall(void) {
  return 0;
}
void cuiMemoryOperation(const CuiMemoryOperation*) {}
void cuiSynchronization(const CuiSynchronization*) {}
void cuiAtClose(void (*)(void)) {}

BENCHMARK_MAIN();

#define SITE(id, kind)                                                                                    \
  CUI_SITE(id, 0, 1, 1, 1, 2, kind, generic, instrumented, 4, 0, "kernel", "a[i]", "a", "i", "float", "", \
           "", "")
// clang-format off
CUI_TABLE_FILES
CUI_TABLE_SITES
SITE(0x1, load)
SITE(0x2, load)
SITE(0x3, load)
SITE(0x4, load)
SITE(0x5, load)
SITE(0x6, load)
SITE(0x7, load)
SITE(0x8, load)
SITE(0x9, load)
SITE(0xa, load)
SITE(0xb, load)
SITE(0xc, load)
SITE(0xd, load)
SITE(0xe, load)
SITE(0xf, load)
SITE(0x10, load)
SITE(0x11, load)
CUI_TABLE_KERNELS
CUI_TABLE_LAUNCHES
CUI_LAUNCH_ENTRY("kernel", "kernel", "main", 0, 1, 1, 0)
CUI_TABLE_CALLS
CUI_TABLE_VARIABLES
CUI_VARIABLE_ENTRY("tile", "transpose", "float[32][33]", "float", 4, 4224, shared, 0, 0, 1, 1)
CUI_VARIABLE_ENTRY("tileA", "matrixProduct", "float[32][32]", "float", 4, 4096, shared, 0, 0, 1, 1)
CUI_VARIABLE_ENTRY("tileB", "matrixProduct", "float[32][32]", "float", 4, 4096, shared, 0, 0, 1, 1)
CUI_VARIABLE_ENTRY("part", "blockSum", "float[256]", "float", 4, 1024, shared, 0, 0, 1, 1)
CUI_TABLE_GLOBALS
CUI_TABLE_END("cpu_backend_bench.cu", "0")
// clang-format on
