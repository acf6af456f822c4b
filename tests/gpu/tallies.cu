// Loops in which lanes ask for places that depend on what has been loaded: there profiles run kernels that
// keep sums in registers. patterns.py compares what they add up with a record for each access. Here are
// places of all kinds and sizes, by any lanes, and what tallies do not take or have no room for.
#include <cstdio>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int rounds = 12, warps = 5;

// Round by round other lanes, at other places, as the host has made them up.
template <class T>
__global__ void globalRounds(const int* index, const unsigned* mask, const T* in, T* out, int base) {
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * rounds;
  for (int k = 0; k < rounds; ++k) {
    const int at = index[(first + k) * 32 + lane] + base;
    if (mask[first + k] >> lane & 1) out[at] = in[at];
  }
}
template <class T>
__global__ void sharedRounds(const int* index, const unsigned* mask, T* out) {
  __shared__ T tile[1024];
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * rounds;
  T value = {};
  for (int k = 0; k < rounds; ++k) {
    const int at = index[(first + k) * 32 + lane];
    if (mask[first + k] >> lane & 1) {
      tile[at] = value;
      value = tile[at ^ 1];
    }
  }
  out[threadIdx.x] = value;
}
__global__ void atomicRounds(const int* index, const unsigned* mask, int* out) {
  __shared__ int bins[1024];
  const int lane = threadIdx.x % 32;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * rounds;
  for (int k = 0; k < rounds; ++k) {
    const int at = index[(first + k) * 32 + lane];
    if (mask[first + k] >> lane & 1) {
      atomicAdd(&bins[at], 1);
      atomicAdd(&out[at & 255], 1);
    }
  }
}
// One place after the other, 40,000 of them: more than a tally has room for.
__global__ void longChain(const int* next, int* out, int times) {
  int at = threadIdx.x;
  for (int k = 0; k < times; ++k) at = next[at];
  out[threadIdx.x] = at;
}
// Places on both sides of where addresses' upper halves change: one tally has one of them.
__global__ void bothSides(const int* index, char* memory, unsigned long long distance, int times) {
  for (int k = 0; k < times; ++k) {
    const int at = index[k * 32 + threadIdx.x % 32];
    memory[at % 2 * distance + at] = static_cast<char>(k);
  }
}
// The same one side after the other, each lane by itself.
__global__ void sideBySide(const int* index, char* memory, unsigned long long distance, int times) {
  for (int k = 0; k < times; ++k) {
    const int at = index[k * 32 + threadIdx.x % 32];
    if (at % 2 == k / 4 % 2) memory[at % 2 * distance + at] = static_cast<char>(k);
  }
}
struct __attribute__((packed)) Packed {
  char first;
  int number;
};
// Not aligned; and wider than an instruction's access, which most are that its loop makes.
__global__ void notAligned(const int* index, const Packed* in, int* out, int times) {
  int sum = 0;
  for (int k = 0; k < times; ++k) {
    const int at = index[k * 32 + threadIdx.x % 32];
    sum += in[at].number;
  }
  out[threadIdx.x] = sum;
}
__global__ void wide(const int* index, const Packed* in, int* out, int times) {
  int sum = 0;
  for (int k = 0; k < times; ++k) {
    const Packed copy = in[index[k * 32 + threadIdx.x % 32]];
    sum += copy.first;
  }
  out[threadIdx.x] = sum;
}
// Who ends first, in the middle of loops.
__global__ void returnsApart(const int* index, int* out, int times) {
  for (int k = 0; k < times; ++k) {
    const int at = index[k * 32 + threadIdx.x % 32];
    if (at % 7 == 3) return;
    out[at] = k;
    for (int j = at; j < 6; ++j) {
      out[index[j] + 1] = j;
      if (out[j] == at) return;
    }
  }
  out[threadIdx.x] = 1;
}
__global__ void treeApart(const int* tree, const int* keys, int* depth, int nodes) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 1000; i += gridDim.x * blockDim.x) {
    int node = 0, steps = 0;
    while (node < nodes) {
      const int here = tree[node];
      if (here == keys[i]) break;
      node = 2 * node + (keys[i] < here ? 1 : 2);
      ++steps;
    }
    depth[i] = steps;
  }
}
// Loops that are recorded in front of themselves, between rounds of others, whose lanes part; many rounds, so
// that chunks are filled and replaced.
constexpr int sorted = 256;
__global__ void sortsBetweenLoops(const int* in, int* out, int tiles) {
  __shared__ int values[sorted];
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    for (int i = threadIdx.x; i < sorted; i += blockDim.x) values[i] = in[tile * sorted + i];
    for (int size = 2; size <= sorted; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2) {
        __syncthreads();
        for (int pair = threadIdx.x; pair < sorted / 2; pair += blockDim.x) {
          const int i = 2 * pair - (pair & (distance - 1));
          const int low = values[i], high = values[i + distance];
          if ((low > high) == ((i & size) == 0)) {
            values[i] = high;
            values[i + distance] = low;
          }
        }
      }
    __syncthreads();
    for (int i = threadIdx.x; i < sorted; i += blockDim.x) out[tile * sorted + i] = values[i];
    __syncthreads();
  }
}
// Loops in a loop, of several places each: a record for all that one of them does.
constexpr int tileWidth = 32, tileRows = 8;
__global__ void loopsInLoop(const int* in, int* out, int width, int times) {
  __shared__ int left[tileRows][tileWidth], right[tileRows][tileWidth];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, x = thread % tileWidth, y = thread / tileWidth;
  int sum = 0;
  for (int time = 0; time < times; ++time) {
    const int first = (blockIdx.x * times + time) * tileRows;
#pragma unroll
    for (int row = 0; row < tileRows; row += 2) {
      left[y + row][x] = in[(first + y + row) * width + x];
      right[y + row][x] = in[(first + y + row) * width + tileWidth - 1 - x];
    }
    __syncthreads();
    for (int k = 0; k < tileRows; ++k)
      sum += left[k][x] * right[k][tileWidth - 1 - x] + left[k][y] - right[tileRows - 1 - k][x];
    __syncthreads();
  }
  out[blockIdx.x * 64 + thread] = sum;
}

// More sites than there are registers for, and one site in several places.
__global__ void manySites(const int* index, int* out, int times) {
  for (int k = 0; k < times; ++k) {
    const int at = index[k * 32 + threadIdx.x % 32];
    out[at] = out[at + 1] + out[at + 2] + out[at + 3] + out[at + 4] + out[at + 5] + out[at + 6] + out[at + 7];
  }
}
__global__ void unrolled(const int* index, int* out, int times) {
#pragma unroll 4
  for (int k = 0; k < times; ++k) out[index[k * 32 + threadIdx.x % 32]] = k;
}

static unsigned long long state = 88172645463325252ull;
static unsigned noise() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return static_cast<unsigned>(state >> 16);
}
static int placeOf(int kind, int lane, int span, int seed) {
  switch (kind) {
    case 0:
      return static_cast<int>(noise() % static_cast<unsigned>(span));
    case 1:
      return lane * span / 32;
    case 2:
      return (31 - lane) * span / 32;
    case 3:
      return (2 * lane - (lane & ((1 << seed % 5) - 1))) % span;
    case 4:
      return lane * (1 + seed % 40) % span;
    default:
      return lane % 4 == seed % 4 ? 0 : static_cast<int>(noise() % static_cast<unsigned>(span));
  }
}
static unsigned maskOf(int kind) {
  switch (kind) {
    case 0:
      return ~0u;
    case 1:
      return noise();
    case 2:
      return 1u << noise() % 32;
    default:
      return ~0u << noise() % 31 >> noise() % 3;
  }
}
template <class T>
static T* copied(const std::vector<T>& from) {
  T* to = nullptr;
  CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return to;
}
template <class T>
static T* zeros(std::size_t count) {
  T* to = nullptr;
  CHECK(cudaMalloc(&to, count * sizeof(T)));
  CHECK(cudaMemset(to, 0, count * sizeof(T)));
  return to;
}

template <class T>
static void launchRounds(int span, int kind, int masks) {
  std::vector<int> index;
  std::vector<unsigned> mask;
  for (int round = 0; round < warps * rounds; ++round) {
    mask.push_back(maskOf(masks));
    for (int lane = 0; lane < 32; ++lane) index.push_back(placeOf(kind, lane, span, round));
  }
  int* const indices = copied(index);
  unsigned* const maskWords = copied(mask);
  T *const in = zeros<T>(2048), *const out = zeros<T>(2048);
  globalRounds<T><<<warps, 32>>>(indices, maskWords, in, out, kind == 4 ? 7 : 0);
  sharedRounds<T><<<1, 32 * warps>>>(indices, maskWords, out);
  if (sizeof(T) == 4) atomicRounds<<<warps, 32>>>(indices, maskWords, reinterpret_cast<int*>(out));
  CHECK(cudaDeviceSynchronize());
  for (void* const memory : {static_cast<void*>(indices), static_cast<void*>(maskWords),
                             static_cast<void*>(in), static_cast<void*>(out)})
    CHECK(cudaFree(memory));
}
static void plant(std::vector<int>& nodes, std::size_t node, int from, int to) {
  if (node >= nodes.size()) return;
  const int middle = (from + to) / 2;
  nodes[node] = middle;
  plant(nodes, 2 * node + 1, from, middle);
  plant(nodes, 2 * node + 2, middle, to);
}
static void launchOthers() {
  std::vector<int> next(4096), index(64 * 32), keys(1000), nodes(255);
  for (int& one : next) one = static_cast<int>(noise() % 4096);
  for (int& one : index) one = static_cast<int>(noise() % 200);
  for (int& one : keys) one = static_cast<int>(noise() % 255);
  plant(nodes, 0, 0, 255);
  int *const nexts = copied(next), *const indices = copied(index), *const out = zeros<int>(4096);
  longChain<<<2, 40>>>(nexts, out, 40000);
  const unsigned long long window = 1ull << 32;
  char* const much = zeros<char>(window + 4096);
  char* const before = much + ((window - reinterpret_cast<unsigned long long>(much) % window) % window) - 100;
  if (before >= much) bothSides<<<2, 64>>>(indices, before, 100, 64);
  // Whose lower halves are the same.
  bothSides<<<2, 64>>>(indices, much, window, 64);
  sideBySide<<<2, 64>>>(indices, much, window, 64);
  notAligned<<<2, 64>>>(indices, zeros<Packed>(256), out, 64);
  wide<<<2, 64>>>(indices, zeros<Packed>(256), out, 64);
  returnsApart<<<3, 64>>>(indices, out, 64);
  treeApart<<<2, 128>>>(copied(nodes), copied(keys), out, 255);
  std::vector<int> mixed(6 * sorted);
  for (int& one : mixed) one = static_cast<int>(noise());
  for (const int blocks : {1, 4}) sortsBetweenLoops<<<blocks, 64>>>(copied(mixed), zeros<int>(6 * sorted), 6);
  for (const dim3 block : {dim3(64, 1), dim3(32, 2), dim3(16, 4), dim3(8, 8)})
    for (const int times : {1, 60})
      loopsInLoop<<<4, block>>>(zeros<int>(4 * 60 * tileRows * 40), out, 40, times);
  manySites<<<2, 64>>>(indices, out, 64);
  for (const int times : {0, 1, 3, 4, 63}) unrolled<<<2, 64>>>(indices, out, times);
  CHECK(cudaDeviceSynchronize());
}

// A warp that counts on going in step, as before __syncwarp(): behind fences only, lanes add up what the
// three in front have just written.
constexpr int slots = 35;
__global__ void goesInStep(const int* in, int* out, int times) {
  __shared__ int all[4 * slots];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = warp * slots + 3 + lane;
  if (lane < 3) all[warp * slots + lane] = 0;
  int total = 0;
  for (int k = 0; k < times; ++k) {
    const int number = in[k * 32 + lane];
    int count;
    if (number % 3 == 0)
      count = number / 3;
    else
      count = 1 - number;
    all[at] = count;
    __threadfence_block();
    all[at] += all[at - 1];
    __threadfence_block();
    all[at] += all[at - 2];
    __threadfence_block();
    total += all[at];
    __threadfence_block();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = total;
}
static bool areInStep() {
  std::vector<int> numbers(200 * 32), found(40 * 128);
  for (int& number : numbers) number = static_cast<int>(noise() % 100);
  int* const out = zeros<int>(found.size());
  goesInStep<<<40, 128>>>(copied(numbers), out, 200);
  CHECK(cudaMemcpy(found.data(), out, found.size() * sizeof(int), cudaMemcpyDeviceToHost));
  const auto countOf = [&numbers](int place) {
    const int number = numbers[static_cast<std::size_t>(place)];
    return number % 3 == 0 ? number / 3 : 1 - number;
  };
  for (std::size_t thread = 0; thread < found.size(); ++thread) {
    int expected = 0;
    for (int k = 0; k < 200; ++k)
      for (int before = 0; before < 4 && before <= static_cast<int>(thread % 32); ++before)
        expected += countOf(k * 32 + static_cast<int>(thread % 32) - before);
    if (found[thread] != expected) return false;
  }
  return true;
}

// A fault while lanes have sums in registers, or logs that they have not ended. The last block waits until the others have come
// to their end, and, for a while, have ended.
__global__ void faults(const int* index, int* out, int times, int* arrived, bool traps) {
  for (int k = 0; k < times; ++k) {
    const int at = index[k * 32 + threadIdx.x % 32];
    if (at % 7 == 3) continue;
    const int next = index[at];
    out[at] = k;
    if (next % 5 != 1) out[next] = at;
  }
  if (threadIdx.x != 0) return;
  atomicAdd(arrived, 1);
  if (blockIdx.x != gridDim.x - 1) return;
  const long long begin = clock64();
  while (atomicAdd(arrived, 0) != static_cast<int>(gridDim.x) || clock64() - begin < 10000000)
    if (clock64() - begin > 2000000000) return;
  if (traps) __trap();
}

int main(int count, char** words) {
  if (count > 1) {
    std::vector<int> index(64 * 32);
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<int>(i * 37 % 64);
    const bool traps = std::strcmp(words[1], "faults") == 0;
    faults<<<16, 32>>>(copied(index), zeros<int>(64), 64, zeros<int>(1), traps);
    std::puts((cudaDeviceSynchronize() == cudaSuccess) != traps ? "done" : "another result");
    return 0;
  }
  for (const int span : {1, 2, 9, 31, 32, 33, 64, 100, 256, 257, 1000})
    for (int kind = 0; kind < 6; ++kind)
      for (int masks = 0; masks < 4; ++masks) {
        launchRounds<int>(span, kind, masks);
        if (span % 2 == 0) launchRounds<unsigned char>(span, kind, masks);
        if (span % 2 == 1) launchRounds<double>(span, kind, masks);
        if (span == 64) launchRounds<short>(span, kind, masks);
        if (span == 100) launchRounds<float4>(span, kind, masks);
      }
  launchOthers();
  std::puts(areInStep() ? "done" : "lanes were not in step");
  return 0;
}
