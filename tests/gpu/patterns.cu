// Many ways in which the lanes of a warp, or some of them, find their places: in a few rows of shared memory or many, in order or in none,
// several at one place; and loops that parts of warps go round. patterns.py compares what profiles add up with what each record says.
#include <cstdio>
#include <vector>

#include "check.h"

// Which lanes, and at which places, as the host has made them up: `index` has 32 for each block.
template <class T>
__global__ void shared(const int* index, const unsigned* mask, T* out, int base) {
  __shared__ T tile[1024];
  const int lane = threadIdx.x, at = index[blockIdx.x * 32 + lane] + base;
  T value = {};
  if (mask[blockIdx.x] >> lane & 1) {
    tile[at] = value;
    value = tile[at ^ 1];
  }
  out[blockIdx.x * 32 + lane] = value;
}
template <class T>
__global__ void global(const int* index, const unsigned* mask, const T* in, T* out, int base) {
  const int lane = threadIdx.x, at = index[blockIdx.x * 32 + lane] + base;
  if (mask[blockIdx.x] >> lane & 1) out[at] = in[at];
}
__global__ void counted(const int* index, const unsigned* mask, int* out) {
  __shared__ int bins[1024];
  const int lane = threadIdx.x, at = index[blockIdx.x * 32 + lane];
  if (mask[blockIdx.x] >> lane & 1) {
    atomicAdd(&bins[at], 1);
    atomicAdd(&out[at & 255], 1);
  }
}

// Loops of the lanes from `from` on, below `to`, that are multiples of `each`.
template <class T>
__global__ void loops(const T* in, T* out, int n, int step, int from, int to, int each) {
  __shared__ T tile[256];
  const int lane = threadIdx.x + threadIdx.y * blockDim.x;
  if (lane % 32 < from || lane % 32 >= to || lane % each != 0) return;
  for (int k = 0; k < n; ++k) out[lane] = in[lane + k * step];
  for (int k = n; k > 0; --k) tile[lane] = in[lane + k * step];
  for (int k = 0; k < 2 * n; k += 2) tile[(lane & 31) + k] = in[lane * lane % 97 + k];
  for (int k = 0; k < n; ++k) {
    out[lane + k] = in[lane + k * step];
    out[lane * 2 + 256] = tile[lane * 2];
    tile[k] = in[3 * lane + k];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) out[lane + 32 * k] = tile[lane];
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int row = 0; row < 5; ++row) out[lane + row * step + k] = in[lane + k];
}
// Lanes of one warp that go round differently often, by two paths.
__global__ void apart(const int* in, int* out, int n) {
  const int lane = threadIdx.x % 32, own = lane < 11 ? n : n + 1;
  for (int k = 0; k < own; ++k) out[lane] = in[lane + k];
  if (lane % 2 == 0)
    for (int k = 0; k < n; ++k) out[lane] = in[lane + 2 * k];
  else
    for (int k = 0; k < n; ++k) out[lane] = in[lane + 3 * k];
}

static unsigned long long state = 88172645463325252ull;
static unsigned noise() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return static_cast<unsigned>(state >> 16);
}

/// Of a lane, in `span` places.
static int placeOf(int kind, int lane, int span, int seed) {
  switch (kind) {
    case 0: return static_cast<int>(noise() % static_cast<unsigned>(span));
    case 1: return lane * span / 32;                                             // in order, some together
    case 2: return (31 - lane) * span / 32;                                      // the other way
    case 3: return (2 * lane - (lane & ((1 << seed % 5) - 1))) % span;           // as a bitonic sort goes
    case 4: return lane * (1 + seed % 40) % span;                                // across the banks
    default: return lane % 4 == seed % 4 ? 0 : static_cast<int>(noise() % static_cast<unsigned>(span));
  }
}
static unsigned maskOf(int kind) {
  switch (kind) {
    case 0: return ~0u;
    case 1: return noise();
    case 2: return 1u << noise() % 32;
    case 3: return ~0u << noise() % 31 >> noise() % 3;
    default: return noise() & noise() & noise();
  }
}

template <class T>
static const T* copied(const std::vector<T>& from) {
  T* to = nullptr;
  CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return to;
}

constexpr int cases = 24;  // of a launch

template <class T>
static void launch(int span, int kind, int masks) {
  std::vector<int> index;
  std::vector<unsigned> mask;
  for (int block = 0; block < cases; ++block) {
    mask.push_back(maskOf(masks));
    for (int lane = 0; lane < 32; ++lane) index.push_back(placeOf(kind, lane, span, block));
  }
  const int* indices = copied(index);
  const unsigned* maskWords = copied(mask);
  T *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 2048 * sizeof(T)));
  CHECK(cudaMalloc(&out, 2048 * sizeof(T)));
  CHECK(cudaMemset(in, 0, 2048 * sizeof(T)));
  const int base = kind == 4 ? 7 : 0;
  shared<T><<<cases, 32>>>(indices, maskWords, out, base);
  global<T><<<cases, 32>>>(indices, maskWords, in, out, base);
  if (sizeof(T) == 4) counted<<<cases, 32>>>(indices, maskWords, reinterpret_cast<int*>(out));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(const_cast<int*>(indices)));
  CHECK(cudaFree(const_cast<unsigned*>(maskWords)));
}
template <class T>
static void launchLoops() {
  T *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 8192 * sizeof(T)));
  CHECK(cudaMalloc(&out, 8192 * sizeof(T)));
  CHECK(cudaMemset(in, 0, 8192 * sizeof(T)));
  const int lanes[][3] = {{0, 32, 1}, {1, 32, 1}, {0, 31, 1}, {5, 20, 1}, {0, 32, 2}, {3, 4, 1}, {0, 32, 3}, {0, 32, 4}};
  for (const auto& [from, to, each] : lanes)
    for (const int n : {0, 1, 2, 7, 40})
      for (const int step : {1, 8, 32, 61}) loops<T><<<2, dim3(n == 7 ? 8 : 64, n == 7 ? 8 : 1)>>>(in, out, n, step, from, to, each);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

// Rows of the grid, of which one block accounts for all: variables that are set anew or go on in a loop, more accesses than three, loops
// that leave nothing of themselves, in others and behind a condition.
__global__ void setAnew(const float* in, float* out, int width) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
__global__ void marching(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  int i = y * nx + x;
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    out[i] = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane];
  }
}
__global__ void tiles(const float* in, float* out, int width) {
  __shared__ float tile[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  float sum[4] = {};
  for (int step = 0; step < width; step += 32) {
    for (int j = 0; j < 32; j += 8) tile[ty + j][tx] = in[(step + ty + j) * width + x];
    __syncthreads();
    for (int j = 0; j < 4; ++j) sum[j] += tile[tx][ty + 8 * j];
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j) out[(y + 8 * j) * width + x] = sum[j];
}
__global__ void ofLocals(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  int i = x;
  for (int k = 0; k < n; ++k) {
    const int at = 3 * x + k * n;
    out[at] = in[at];
  }
  for (int k = 0; k < n; ++k) {
    const int at = i + k;
    out[at] = 1;
    i += 2 * n;
  }
}
// Tiles that blocks share out, in whose shared memory all blocks do the same, and some of it by what they read.
template <class T>
__global__ void sortTiles(const int* in, int* out, int tiles) {
  __shared__ T values[256];
  __shared__ T ofWarps[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    values[threadIdx.x] = T(in[t * 256 + threadIdx.x]);
    for (int size = 2; size <= 256; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2) {
        __syncthreads();
        for (int pair = threadIdx.x; pair < 128; pair += blockDim.x) {
          const int i = 2 * pair - (pair & (distance - 1));
          const T low = values[i], high = values[i + distance];
          if ((low > high) == ((i & size) == 0)) {
            values[i] = high;
            values[i + distance] = low;
          }
        }
      }
    __syncthreads();
    if (lane == 31) ofWarps[warp] = values[threadIdx.x];
    __syncthreads();
    if (warp == 0 && lane < 8) ofWarps[lane] = ofWarps[lane / 2] + ofWarps[7 - lane];
    __syncthreads();
    out[(t + gridDim.y * blockIdx.y) * 256 + threadIdx.x] = int(values[threadIdx.x] + ofWarps[warp]);
    __syncthreads();
  }
}
// Arrays that end somewhere: some lanes of one warp go round once more than others.
template <class T>
__global__ void endsApart(const T* in, T* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 2; i < n - 2; i += gridDim.x * blockDim.x)
    out[i] = T(in[i - 2] + in[i - 1] + in[i + 1] + in[i + 2]);
}
static void launchEnds(const void* in, void* out) {
  for (const int n : {3, 700, 5000, 12345, 20011}) {
    endsApart<<<12, 128>>>(static_cast<const int*>(in), static_cast<int*>(out), n);
    endsApart<<<dim3(5, 2), 64>>>(static_cast<const double*>(in), static_cast<double*>(out), n);
  }
}
static void launchTiles(const int* in, int* out) {
  for (const int tiles : {1, 5, 24, 53, 131}) {
    sortTiles<int><<<12, 256>>>(in, out, tiles);
    sortTiles<double><<<dim3(5, 2), 256>>>(in, out, tiles);
  }
}
static void launchRows() {
  constexpr int width = 320;
  float *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 10 * width * width * sizeof(float)));
  CHECK(cudaMalloc(&out, 10 * width * width * sizeof(float)));
  CHECK(cudaMemset(in, 0, 10 * width * width * sizeof(float)));
  setAnew<<<dim3(width / 32, width / 32), dim3(32, 8)>>>(in, out, width);
  for (const int nx : {width, width - 3}) marching<<<dim3(width / 32, width / 8), dim3(32, 8)>>>(in, out, nx, width, 7);
  tiles<<<dim3(width / 32, width / 32), dim3(32, 8)>>>(in, out, width);
  ofLocals<<<12, 64>>>(in, out, 40);
  std::vector<int> numbers(131 * 256);
  for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int>(i * 2654435761u >> 8);
  CHECK(cudaMemcpy(in, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice));
  launchTiles(reinterpret_cast<const int*>(in), reinterpret_cast<int*>(out));
  launchEnds(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

int main() {
  for (const int span : {1, 2, 9, 31, 32, 33, 64, 100, 192, 255, 256, 257, 400, 1000})
    for (int kind = 0; kind < 6; ++kind)
      for (int masks = 0; masks < 5; ++masks) {
        launch<int>(span, kind, masks);
        if (span % 2 == 0 && kind % 2 == 0) launch<unsigned char>(span, kind, masks);
        if (span % 2 == 0 && kind % 2 == 1) launch<double>(span, kind, masks);
        if (span == 64) launch<short>(span, kind, masks);
        if (span == 100) launch<float4>(span, kind, masks);
      }
  launchLoops<int>();
  launchLoops<unsigned char>();
  launchLoops<double>();
  launchLoops<float4>();
  launchRows();
  int *in = nullptr, *out = nullptr;
  CHECK(cudaMalloc(&in, 4096));
  CHECK(cudaMalloc(&out, 4096));
  CHECK(cudaMemset(in, 0, 4096));
  for (const int n : {1, 2, 5, 30}) apart<<<1, 64>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  std::puts("done");
  return 0;
}
