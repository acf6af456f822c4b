#define CUI_LOCAL_ARRAYS  // as --local-arrays
#include "cuinstrument/instrument.h"
CUI_UNIT(0x67b1f3a9c0d25e18, 11)
#line 1 "recorder.cu"
// Instrumented by hand, so that the CUDA backend is tested without the rewriter. `recorder CASE` runs one
// case; run.py knows what its trace must hold. Exits 0 if the program itself saw what it would see
// uninstrumented, 1 with a line otherwise.
#include <cstdio>
#include <cstring>
#include <chrono>
#include <thread>
#include <vector>

#define REQUIRE(...)                                                        \
  do {                                                                      \
    if (!(__VA_ARGS__)) {                                                   \
      std::printf("line %d: not true: %s\n", __LINE__, #__VA_ARGS__);       \
      return 1;                                                             \
    }                                                                       \
  } while (0)

__device__ float table[64];
__constant__ float factors[32];
__managed__ int managedCount;

__global__ void affine(int* out) { CUI_KERNEL(0);
  CUI_ACCESS(0, out[blockIdx.x * blockDim.x + threadIdx.x]) = 1; }

// i * i mod 97: neither equal nor evenly spaced.
__global__ void irregular(const int* in, int* out) { CUI_KERNEL(1);
  const unsigned i = threadIdx.x;
  CUI_ACCESS(2, out[i]) = CUI_ACCESS(1, in[i * i % 97]); }

// Nothing is touched at the addresses, which are too far apart for 32 bits.
__global__ void farApart(char* base, unsigned long long step) { CUI_KERNEL(2);
  (void)CUI_ACCESS(3, base[threadIdx.x * step]); }

// Lanes 0 to 23 stay; then odd and even ones part.
__global__ void divergent(int* out) { CUI_KERNEL(3);
  const unsigned i = threadIdx.x;
  if (i >= 24) return;
  if (i % 2 == 1)
    CUI_ACCESS(4, out[i]) = 1;
  else
    CUI_ACCESS(5, out[i]) = 2;
  CUI_ACCESS(0, out[32 + i]) = 3; }

__global__ void spaces(int* out) { CUI_KERNEL(4);
  __shared__ int tile[64]; CUI_SHARED(0, tile);
  extern __shared__ int dynamic[] CUI_DYNAMIC_SHARED; CUI_SHARED_DYNAMIC(1, dynamic);
  int local[4] = {1, 2, 3, 4};
  const unsigned i = threadIdx.x;
  CUI_ACCESS(6, tile[i * 2]) = static_cast<int>(CUI_ACCESS(7, factors[i]));
  CUI_ACCESS(6, dynamic[i]) = CUI_ACCESS(8, local[i & 3]);
  CUI_BARRIER(__syncthreads());
  // One generic pointer, two spaces in one warp.
  int* mixed = i < 16 ? out + i : tile + i;
  CUI_ACCESS(9, *mixed) = static_cast<int>(CUI_ACCESS(7, table[i])); }

template <class T>
__global__ void values(const T* in, T* out) { CUI_KERNEL(5);
  CUI_STORE(10, out[threadIdx.x]) = CUI_LOAD(1, in[threadIdx.x]); }

// Each block stops at a barrier between accesses: a recorder that made warps wait for each other would hang.
__global__ void CUI_LAUNCH_BOUNDS many(int* out, int rounds, bool meets) { CUI_KERNEL(6);
  for (int round = 0; round < rounds; ++round) {
    CUI_ACCESS(0, out[blockIdx.x * blockDim.x + threadIdx.x]) += 1;
    if (meets) CUI_BARRIER(__syncthreads());
  } }

// Not instrumented: takes a grid number as a library's kernel would.
__global__ void foreign(int* out) { if (out != nullptr) out[threadIdx.x] = 0; }

// Lanes part and must come together again, in a loop, however long.
__global__ void CUI_LAUNCH_BOUNDS branches(int* out, int rounds) { CUI_KERNEL(7);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  for (int round = 0; round < rounds; ++round) {
    if (lane % 2 == 1) CUI_ACCESS(4, out[i]) += 1;
    if (lane >= 9) CUI_ACCESS(5, out[i]) += 1;
    if (lane < 5) CUI_ACCESS(2, out[i * 17 % 256]);
    CUI_ACCESS(0, out[i]) += 1;
  } }

// The device fails when all blocks but one have recorded.
__global__ void failing(int* out, int* count) { CUI_KERNEL(8);
  CUI_ACCESS(0, out[blockIdx.x * blockDim.x + threadIdx.x]) = 1;
  __threadfence_system();
  if (threadIdx.x != 0) return;
  if (atomicAdd(count, 1) == static_cast<int>(gridDim.x) - 1) __trap(); }

// Several accesses in one step: of a whole warp, a part of one, lanes without a rule, lanes in two spaces; r follows
// a rule in wide blocks, and another one in narrow ones.
__global__ void together(int* in, int* out) { CUI_KERNEL(9);
  __shared__ int tile[256];
  const unsigned i = threadIdx.x + blockDim.x * threadIdx.y, r = threadIdx.x + 20 * threadIdx.y;
  CUI_TOGETHER((1, in[r], 2, out[r], 0, in[r + 256]), in[r + 256] = in[r] + out[r]);
  if (i % 32 < 20) CUI_TOGETHER((1, in[r], 0, out[r]), out[r] = in[r]);
  CUI_TOGETHER((1, in[i * i % 97], 0, out[r]), out[r] = in[i * i % 97]);
  int* mixed = i % 32 < 16 ? out + r : tile + r;
  CUI_TOGETHER((1, in[r], 9, *mixed), *mixed = in[r]); }

// Lanes of three sites in one call, as where the hardware brings together what called the recorder in several places.
__global__ void met(int* out, int rounds) { CUI_KERNEL(12);
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned site = lane < 20 ? 0 : lane < 27 ? 5 : 4;
  for (int round = 0; round < rounds; ++round) CUI_ACCESS(site, out[i]) += 1; }

__global__ void running(int* out, const volatile int* stop) { CUI_KERNEL(10);
  while (*stop == 0) {
    CUI_ACCESS(0, out[blockIdx.x * blockDim.x + threadIdx.x]) += 1;
    __nanosleep(1000000);
  } }

// Loops recorded in front of them: rows or lanes with a rule, up to three accesses and more, backwards, once
// and never; and those that are not: lanes that go round more often, without a rule, or not at all.
__global__ void loops(int* in, int* out, int n) { CUI_KERNEL(11);
  const unsigned i = threadIdx.x + blockDim.x * threadIdx.y, r = threadIdx.x + 20 * threadIdx.y;
  int sum = 0; CUI_LOOP(100, 2, (int, k, 0, <, n, + 1), (), (1, in[r + 3 * k], 0, out[r]), for (int k = 0; k < n; ++k) out[r] += in[r + 3 * k];)
  for (int k = 0; k < n; ++k) CUI_IN_LOOP((1, in[r + 3 * k], 0, out[r]), out[r] += in[r + 3 * k]); CUI_LOOP(101, 1, (unsigned, k, (n + 30u), >=, 30, - 7), (), (2, in[k]), for (unsigned k = n + 30u; k >= 30; k -= 7) sum += in[k];)
  for (unsigned k = n + 30u; k >= 30; k -= 7) sum += CUI_LOOP_ACCESS(2, in[k]); CUI_LOOP(102, 4, (int, k, 0, !=, 6, + 2), (const unsigned at = r + k;), (9, in[at], 1, in[at + 64], 9, in[at + 128], 0, out[i]), for (int k = 0; k != 6; k += 2) { const unsigned at = r + k; sum += in[at] + in[at + 64] + in[at + 128]; out[i] = sum; })
  for (int k = 0; k != 6; k += 2) { const unsigned at = r + k; CUI_IN_LOOP((9, in[at], 1, in[at + 64], 9, in[at + 128]), sum += in[at] + in[at + 64] + in[at + 128]); CUI_LOOP_ACCESS(0, out[i]) = sum; }
  const int own = i % 32 < 20 ? 3 : 2; CUI_LOOP(103, 1, (int, k, 0, <, own, + 1), (), (1, in[r + k]), for (int k = 0; k < own; ++k) sum += in[r + k];)
  for (int k = 0; k < own; ++k) sum += CUI_LOOP_ACCESS(1, in[r + k]); CUI_LOOP(104, 1, (int, k, 0, <, 2, + 1), (), (2, in[i * i % 97 + k]), for (int k = 0; k < 2; ++k) sum += in[i * i % 97 + k];)
  for (int k = 0; k < 2; ++k) sum += CUI_LOOP_ACCESS(2, in[i * i % 97 + k]); CUI_LOOP(105, 1, (int, k, n, <, n + 1, + 1), (), (9, in[k]), for (int k = n; k < n + 1; ++k) sum += in[k];)
  for (int k = n; k < n + 1; ++k) sum += CUI_LOOP_ACCESS(9, in[k]); CUI_LOOP(106, 1, (int, k, n, <, 0, + 1), (), (9, in[k]), for (int k = n; k < 0; ++k) sum += in[k];)
  for (int k = n; k < 0; ++k) sum += CUI_LOOP_ACCESS(9, in[k]);
  if (i % 32 < 20) { CUI_LOOP(107, 1, (int, k, 0, <, 2, + 1), (), (0, out[i]), for (int k = 0; k < 2; ++k) out[i] = sum;)
    for (int k = 0; k < 2; ++k) CUI_LOOP_ACCESS(0, out[i]) = sum; } }

#define LAUNCH(n, kernel, grid, block, bytes, stream, ...)                                         \
  CUI_LAUNCH(n, kernel CUI_LAUNCH_OPEN(<<<) CUI_GRID(grid), CUI_BLOCK(block), CUI_SHARED_BYTES(bytes), \
             CUI_STREAM(stream) CUI_LAUNCH_CLOSE(>>>)(__VA_ARGS__))

static int* ints(std::size_t count) {
  int* p = nullptr;
  CUI_API(0, cudaMalloc)(&p, count * sizeof(int));
  CUI_API(1, cudaMemset)(p, 0, count * sizeof(int));
  return p;
}

static int runAffine() {
  int* out = ints(128);
  CUI_LAUNCH(0, affine CUI_LAUNCH_OPEN(<<<) CUI_GRID(2), CUI_BLOCK(64) CUI_LAUNCH_CLOSE(>>>)(out));
  std::vector<int> host(128);
  REQUIRE(CUI_API(2, cudaMemcpy)(host.data(), out, 512, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int value : host) REQUIRE(value == 1);
  REQUIRE(CUI_API(3, cudaFree)(out) == cudaSuccess);
  return 0;
}

static int runIrregular() {
  int *in = ints(97), *out = ints(64);
  LAUNCH(1, irregular, 1, 64, 0, nullptr, in, out);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runFarApart() {
  char* base = nullptr;
  REQUIRE(CUI_API(0, cudaMalloc)(&base, 1024) == cudaSuccess);
  LAUNCH(2, farApart, 1, 32, 0, nullptr, base, 5ull << 30);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runDivergent() {
  int* out = ints(64);
  LAUNCH(3, divergent, 1, 32, 0, nullptr, out);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runTogether() {
  int *in = ints(512), *out = ints(256);
  LAUNCH(10, together, 1, 64, 0, nullptr, in, out);
  LAUNCH(10, together, 1, dim3(8, 8), 0, nullptr, in, out);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runMet() {
  int* out = ints(64 * 64);
  for (int i = 0; i < 3; ++i) LAUNCH(13, met, 64, 64, 0, nullptr, out, 5);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runLoops() {
  int *in = ints(512), *out = ints(256);
  LAUNCH(12, loops, 1, 64, 0, nullptr, in, out, 40);
  LAUNCH(12, loops, 1, dim3(8, 8), 0, nullptr, in, out, 5);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runSpaces() {
  int* out = ints(32);
  const std::vector<float> f(32, 2.0f);
  REQUIRE(CUI_API(5, cudaMemcpyToSymbol)(factors, f.data(), 128) == cudaSuccess);
  LAUNCH(4, spaces, 1, 32, 128, nullptr, out);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

template <class T>
static int runValuesOf(T base) {
  std::vector<T> host(32);
  for (int i = 0; i < 32; ++i) host[i] = static_cast<T>(base + static_cast<T>(i));
  T *in = nullptr, *out = nullptr;
  REQUIRE(CUI_API(0, cudaMalloc)(&in, 32 * sizeof(T)) == cudaSuccess);
  REQUIRE(CUI_API(0, cudaMalloc)(&out, 32 * sizeof(T)) == cudaSuccess);
  REQUIRE(CUI_API(2, cudaMemcpy)(in, host.data(), 32 * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  LAUNCH(5, values<T>, 1, 32, 0, nullptr, in, out);
  std::vector<T> back(32);
  REQUIRE(CUI_API(2, cudaMemcpy)(back.data(), out, 32 * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(back == host);
  return 0;
}
static int runValues() {
  return runValuesOf<unsigned char>(200) + runValuesOf<short>(-5) + runValuesOf<int>(1 << 20) + runValuesOf<double>(0.5);
}

// 32 launches of one kernel over four streams, each into its own 1024 bytes, between memsets and kernels
// that are not ours: launch n of the trace must be the one that wrote region n.
static int runStreams() {
  constexpr int streams = 4, launches = 32;
  int* out = ints(launches * 256);
  cudaStream_t stream[streams];
  for (cudaStream_t& s : stream) REQUIRE(cudaStreamCreate(&s) == cudaSuccess);
  for (int n = 0; n < launches; ++n) {
    const cudaStream_t s = stream[n % streams];
    LAUNCH(7, affine, 4, 64, 0, s, out + n * 256);
    if (n % 3 == 0) foreign<<<1, 1, 0, s>>>(nullptr);
    if (n % 5 == 0) REQUIRE(CUI_API(6, cudaMemsetAsync)(out, 0, 4, s) == cudaSuccess);
  }
  for (cudaStream_t s : stream) REQUIRE(CUI_API(7, cudaStreamSynchronize)(s) == cudaSuccess);
  return 0;
}

static int runMany(int rounds, bool meets = true) {
  constexpr int blocks = 512, threads = 256;
  int* out = ints(blocks * threads);
  LAUNCH(6, many, blocks, threads, 0, nullptr, out, rounds, meets);
  std::vector<int> host(blocks * threads);
  REQUIRE(CUI_API(2, cudaMemcpy)(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int value : host) REQUIRE(value == rounds);
  return 0;
}

// With only the first launch to be recorded: the second, which is left out, begins while the first is still under way
// and so records, too, until the host switches that off in the middle of it. Others, in another stream, begin meanwhile:
// with a kernel a multiprocessor reads constants anew.
static int runLeftOut() {
  constexpr int blocks = 512, threads = 256, rounds = 3000;
  int *first = ints(blocks * threads), *second = ints(blocks * threads), *others = ints(256);
  cudaStream_t stream[3];
  for (cudaStream_t& s : stream) REQUIRE(cudaStreamCreate(&s) == cudaSuccess);
  LAUNCH(6, many, blocks, threads, 0, stream[0], first, 50, false);
  LAUNCH(6, many, blocks, threads, 0, stream[1], second, rounds, false);
  for (int n = 0; n < 3000; ++n) LAUNCH(7, affine, 4, 64, 0, stream[2], others);
  for (cudaStream_t s : stream) REQUIRE(CUI_API(7, cudaStreamSynchronize)(s) == cudaSuccess);
  std::vector<int> host(blocks * threads);
  REQUIRE(CUI_API(2, cudaMemcpy)(host.data(), second, host.size() * 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int value : host) REQUIRE(value == rounds);
  return 0;
}

static int runBranches() {
  int* out = ints(256);
  LAUNCH(8, branches, 4, 64, 0, nullptr, out, 300);
  std::vector<int> host(256);
  REQUIRE(CUI_API(2, cudaMemcpy)(host.data(), out, 1024, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (unsigned i = 0; i < 256; ++i)
    REQUIRE(host[i] == 300 * (1 + (i % 32 % 2 == 1 ? 1 : 0) + (i % 32 >= 9 ? 1 : 0)));
  return 0;
}

static int runFailing() {
  int *out = ints(128), *count = ints(1);
  LAUNCH(7, affine, 2, 64, 0, nullptr, out);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  LAUNCH(9, failing, 4, 32, 0, nullptr, out, count);
  const cudaError_t error = CUI_API(4, cudaDeviceSynchronize)();
  REQUIRE(error == cudaErrorLaunchFailure || error == cudaErrorIllegalInstruction);
  REQUIRE(cudaGetLastError() == error);
  return 0;
}

// The last error is exactly what an uninstrumented program would see.
static int runErrors() {
  int* out = ints(32);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  foreign<<<1, 2048>>>(nullptr);
  const cudaError_t refused = cudaGetLastError();  // CUDA 12: InvalidConfiguration; CUDA 13: InvalidValue
  REQUIRE(refused != cudaSuccess);
  LAUNCH(7, affine, 1, 2048, 0, nullptr, out);
  REQUIRE(cudaPeekAtLastError() == refused);
  LAUNCH(7, affine, 1, 32, 0, nullptr, out);  // a good launch does not clear it
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  REQUIRE(cudaGetLastError() == refused);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  int* none = nullptr;
  REQUIRE(CUI_API(0, cudaMalloc)(&none, ~std::size_t{0} / 2) == cudaErrorMemoryAllocation);
  REQUIRE(cudaGetLastError() == cudaErrorMemoryAllocation);
  LAUNCH(7, affine, 1, 32, 0, nullptr, out);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

static int runGraph() {
  int* out = ints(128);
  cudaStream_t s;
  REQUIRE(cudaStreamCreate(&s) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
  LAUNCH(7, affine, 2, 64, 0, s, out);
  cudaGraph_t graph;
  REQUIRE(cudaStreamEndCapture(s, &graph) == cudaSuccess);
  cudaGraphExec_t executable;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int i = 0; i < 3; ++i) REQUIRE(cudaGraphLaunch(executable, s) == cudaSuccess);
  REQUIRE(CUI_API(7, cudaStreamSynchronize)(s) == cudaSuccess);
  REQUIRE(cudaGetLastError() == cudaSuccess);
  return 0;
}

static int runGraphMany() {
  int* out = ints(512 * 256);
  cudaStream_t s;
  REQUIRE(cudaStreamCreate(&s) == cudaSuccess);
  REQUIRE(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
  LAUNCH(6, many, 512, 256, 0, s, out, 50, true);
  cudaGraph_t graph;
  REQUIRE(cudaStreamEndCapture(s, &graph) == cudaSuccess);
  cudaGraphExec_t executable;
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  for (int i = 0; i < 5; ++i) {
    REQUIRE(cudaGraphLaunch(executable, s) == cudaSuccess);
    if (i == 2) REQUIRE(CUI_API(7, cudaStreamSynchronize)(s) == cudaSuccess);
  }
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  int first = 0;
  REQUIRE(CUI_API(2, cudaMemcpy)(&first, out, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  REQUIRE(first == 250);
  return 0;
}

static int runReset() {
  for (int i = 0; i < 2; ++i) {
    if (runAffine() != 0) return 1;
    REQUIRE(CUI_API(8, cudaDeviceReset)() == cudaSuccess);
  }
  return 0;
}

static int runUnannounced() {
  int* out = ints(128);
  void* arguments[] = {&out};
  REQUIRE(cudaLaunchKernel(affine, dim3(2), dim3(64), arguments) == cudaSuccess);
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

// Returns with the kernel still running.
static int runUnsynchronized() {
  int* out = ints(512 * 256);
  LAUNCH(6, many, 512, 256, 0, nullptr, out, 20, true);
  return 0;
}

// A kernel that runs for three seconds, in which the host makes no call.
static int runRunning() {
  int *out = ints(128), *stop = nullptr;
  REQUIRE(cudaHostAlloc(&stop, sizeof(int), cudaHostAllocMapped) == cudaSuccess);
  *stop = 0;
  LAUNCH(11, running, 2, 64, 0, nullptr, out, stop);
  std::this_thread::sleep_for(std::chrono::seconds(3));
  *const_cast<volatile int*>(stop) = 1;
  REQUIRE(CUI_API(4, cudaDeviceSynchronize)() == cudaSuccess);
  return 0;
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    int (*run)();
  } cases[] = {{"affine", runAffine}, {"irregular", runIrregular}, {"far_apart", runFarApart},
               {"divergent", runDivergent}, {"together", runTogether}, {"met", runMet}, {"loops", runLoops}, {"spaces", runSpaces}, {"values", runValues},
               {"streams", runStreams}, {"many", [] { return runMany(50); }},
               {"drops", [] { return runMany(50, false); }}, {"errors", runErrors}, {"graph", runGraph}, {"graph_many", runGraphMany},
               {"reset", runReset}, {"failing", runFailing},
               {"flood", [] { return runMany(1000) + runMany(1000) + runMany(10); }}, {"branches", runBranches}, {"left_out", runLeftOut}, {"running", runRunning}, {"unannounced", runUnannounced}, {"unsynchronized", runUnsynchronized}};
  for (const auto& c : cases)
    if (argc == 2 && std::strcmp(argv[1], c.name) == 0) return c.run();
  std::printf("usage: recorder CASE\n");
  return 2;
}
/* cuinstrument: tables, format 1 */
CUI_TABLE_FILES CUI_FILE("recorder.cu", "/recorder.cu", 0x1)
CUI_TABLE_SITES
CUI_SITE(0x100, 0, 24, 3, 24, 4, store, global, instrumented, 4, 0, "affine", "out[i]", "out", "i", "int", "", "", "")
CUI_SITE(0x101, 0, 29, 3, 29, 4, load, global, instrumented, 0, 0, "irregular", "in[i]", "in", "i", "T", "", "", "")
CUI_SITE(0x102, 0, 29, 3, 29, 4, store, global, instrumented, 4, 0, "irregular", "out[i]", "out", "i", "int", "", "", "")
CUI_SITE(0x103, 0, 33, 3, 33, 4, load, global, instrumented, 1, 0, "farApart", "base[i]", "base", "i", "char", "", "", "")
CUI_SITE(0x104, 0, 40, 3, 40, 4, store, global, instrumented, 4, 0, "divergent", "odd", "out", "i", "int", "", "", "")
CUI_SITE(0x105, 0, 42, 3, 42, 4, store, global, instrumented, 4, 0, "divergent", "even", "out", "i", "int", "", "", "")
CUI_SITE(0x106, 0, 50, 3, 50, 4, store, shared, instrumented, 4, 0, "spaces", "shared", "tile", "i", "int", "", "", "")
CUI_SITE(0x107, 0, 50, 3, 50, 4, load, generic, instrumented, 4, 0, "spaces", "read", "factors", "i", "float", "", "", "")
CUI_SITE(0x108, 0, 51, 3, 51, 4, load, local, instrumented, 4, 0, "spaces", "local", "local", "i", "int", "", "", "")
CUI_SITE(0x109, 0, 55, 3, 55, 4, store, generic, instrumented, 4, 0, "spaces", "mixed", "mixed", "", "int", "", "", "")
CUI_SITE(0x10a, 0, 59, 3, 59, 4, store, global, instrumented, 0, 0, "values", "out[i]", "out", "i", "T", "", "", "")
CUI_TABLE_KERNELS
CUI_KERNEL_ENTRY("affine", 0, 23, 1)
CUI_KERNEL_ENTRY("irregular", 0, 27, 1)
CUI_KERNEL_ENTRY("farApart", 0, 32, 1)
CUI_KERNEL_ENTRY("divergent", 0, 36, 1)
CUI_KERNEL_ENTRY("spaces", 0, 46, 1)
CUI_KERNEL_ENTRY("values", 0, 58, 1)
CUI_KERNEL_ENTRY("many", 0, 62, 1)
CUI_KERNEL_ENTRY("branches", 0, 72, 1)
CUI_KERNEL_ENTRY("failing", 0, 82, 1)
CUI_KERNEL_ENTRY("together", 0, 91, 1)
CUI_KERNEL_ENTRY("running", 0, 101, 1)
CUI_KERNEL_ENTRY("loops", 0, 108, 1)
CUI_KERNEL_ENTRY("met", 0, 114, 1)
CUI_TABLE_LAUNCHES
CUI_LAUNCH_ENTRY("affine", "affine", "run", 0, 1, 1, 0)
CUI_LAUNCH_ENTRY("irregular", "irregular", "run", 0, 2, 1, 1)
CUI_LAUNCH_ENTRY("farApart", "farApart", "run", 0, 3, 1, 1)
CUI_LAUNCH_ENTRY("divergent", "divergent", "run", 0, 4, 1, 1)
CUI_LAUNCH_ENTRY("spaces", "spaces", "run", 0, 5, 1, 1)
CUI_LAUNCH_ENTRY("values<T>", "values", "run", 0, 6, 1, 1)
CUI_LAUNCH_ENTRY("many", "many", "run", 0, 7, 1, 1)
CUI_LAUNCH_ENTRY("affine", "affine", "run", 0, 8, 1, 1)
CUI_LAUNCH_ENTRY("branches", "branches", "run", 0, 9, 1, 1)
CUI_LAUNCH_ENTRY("failing", "failing", "run", 0, 10, 1, 1)
CUI_LAUNCH_ENTRY("together", "together", "run", 0, 11, 1, 1)
CUI_LAUNCH_ENTRY("running", "running", "run", 0, 12, 1, 1)
CUI_LAUNCH_ENTRY("loops", "loops", "run", 0, 13, 1, 1)
CUI_LAUNCH_ENTRY("met", "met", "run", 0, 14, 1, 1)
CUI_TABLE_CALLS
CUI_CALL_ENTRY("cudaMalloc", "run", "out", "int", 4, 0, 1, 1)
CUI_CALL_ENTRY("cudaMemset", "run", "", "", 0, 0, 2, 1)
CUI_CALL_ENTRY("cudaMemcpy", "run", "", "", 0, 0, 3, 1)
CUI_CALL_ENTRY("cudaFree", "run", "", "", 0, 0, 4, 1)
CUI_CALL_ENTRY("cudaDeviceSynchronize", "run", "", "", 0, 0, 5, 1)
CUI_CALL_ENTRY("cudaMemcpyToSymbol", "run", "", "", 0, 0, 6, 1)
CUI_CALL_ENTRY("cudaMemsetAsync", "run", "", "", 0, 0, 7, 1)
CUI_CALL_ENTRY("cudaStreamSynchronize", "run", "", "", 0, 0, 8, 1)
CUI_CALL_ENTRY("cudaDeviceReset", "run", "", "", 0, 0, 9, 1)
CUI_TABLE_VARIABLES
CUI_VARIABLE_ENTRY("tile", "spaces", "int[64]", "int", 4, 256, shared, 0, 0, 47, 1)
CUI_VARIABLE_ENTRY("dynamic", "spaces", "int[]", "int", 4, 0, shared, 1, 0, 48, 1)
CUI_VARIABLE_ENTRY("table", "", "float[64]", "float", 4, 256, global, 0, 0, 18, 1)
CUI_VARIABLE_ENTRY("factors", "", "float[32]", "float", 4, 128, constant, 0, 0, 19, 1)
CUI_VARIABLE_ENTRY("managedCount", "", "int", "int", 4, 4, global, 0, 0, 20, 1)
CUI_TABLE_GLOBALS CUI_GLOBAL(2, ::table) CUI_GLOBAL(3, ::factors) CUI_GLOBAL(4, ::managedCount)
CUI_TABLE_END("recorder.cu", "by hand")
