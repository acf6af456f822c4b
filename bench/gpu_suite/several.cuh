// The kernels of the GPU benchmark whose threads do several elements each, as they are written for
// throughput: grid-stride loops of a few blocks a multiprocessor, and what a thread adds up, scans or moves
// by itself first.
#pragma once

constexpr int tile = 32,
              rowsOfThreads = 8;  // of transposes and products: each thread has four elements of a tile
constexpr unsigned wholeWarp = 0xffffffffu;

__global__ void vectorAdd(const float* a, const float* b, float* c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + b[i];
}

__global__ void gather(const float* in, const int* index, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[index[i]];
}

__global__ void scatter(const float* in, const int* index, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[index[i]] = in[i];
}

struct Particle {
  float x, y, z, mass;
};
__global__ void arrayOfStructs(Particle* particles, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) particles[i].x += particles[i].mass;
}
__global__ void structOfArrays(float* __restrict__ x, const float* __restrict__ mass, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) x[i] += mass[i];
}

__global__ void streamVectors(const float4* in, float4* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

__global__ void invertBytes(const unsigned char* in, unsigned char* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = static_cast<unsigned char>(~in[i]);
}

__global__ void stencil(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x + 2; i < n - 2; i += gridDim.x * blockDim.x)
    out[i] = in[i - 2] + in[i - 1] + in[i] + in[i + 1] + in[i + 2];
}
// Seven points in space: each thread goes along z, with what lies below and above it in registers.
__global__ void stencilMarch(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  int i = y * nx + x;
  float below = in[i], here = in[i + plane];
  for (int z = 1; z < nz - 1; ++z) {
    i += plane;
    const float above = in[i + plane];
    out[i] = 0.5f * here + 0.125f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + below + above);
    below = here;
    here = above;
  }
}

__global__ void transposeNaive(const float* in, float* out, int width) {
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rowsOfThreads) out[x * width + y + j] = in[(y + j) * width + x];
}
template <int Pad>
__global__ void transposeTiled(const float* in, float* out, int width) {
  __shared__ float block[tile][tile + Pad];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile; j += rowsOfThreads) block[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
#pragma unroll
  for (int j = 0; j < tile; j += rowsOfThreads)
    out[(y + j) * width + x] = block[threadIdx.x][threadIdx.y + j];
}

// Four rows of a column each: what is loaded of b serves all four.
__global__ void multiplyNaive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                              int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  float sum[4] = {};
  for (int k = 0; k < width; ++k) {
    const float right = b[k * width + x];
#pragma unroll
    for (int row = 0; row < 4; ++row) sum[row] += a[(y + row) * width + k] * right;
  }
#pragma unroll
  for (int row = 0; row < 4; ++row) c[(y + row) * width + x] = sum[row];
}
__global__ void multiplyTiled(const float* a, const float* b, float* c, int width) {
  __shared__ float left[tile][tile], right[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * tile + tx, y = blockIdx.y * tile + ty;
  float sum[tile / rowsOfThreads] = {};
  for (int step = 0; step < width; step += tile) {
#pragma unroll
    for (int j = 0; j < tile; j += rowsOfThreads) {
      left[ty + j][tx] = a[(y + j) * width + step + tx];
      right[ty + j][tx] = b[(step + ty + j) * width + x];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) {
      const float factor = right[k][tx];
#pragma unroll
      for (int j = 0; j < tile / rowsOfThreads; ++j) sum[j] += left[ty + j * rowsOfThreads][k] * factor;
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < tile / rowsOfThreads; ++j) c[(y + j * rowsOfThreads) * width + x] = sum[j];
}

__device__ inline float sumOfWarp(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(wholeWarp, value, offset);
  return value;
}

// Each thread adds up every so-manyth four, a warp by shuffles, the block by way of shared memory.
__global__ void reduce(const float4* in, float* out, int n) {
  __shared__ float partial[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 v = in[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  sum = sumOfWarp(sum);
  if (lane == 0) partial[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = sumOfWarp(threadIdx.x < blockDim.x / 32 ? partial[lane] : 0.0f);
    if (lane == 0) out[blockIdx.x] = sum;
  }
}

// Tiles of eight elements a thread: each thread scans its own, then the threads' sums are scanned.
__global__ void scanTiles(const float4* in, float4* out, int tiles) {
  __shared__ float ofWarps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int i = 2 * (t * blockDim.x + threadIdx.x);
    float4 low = in[i], high = in[i + 1];
    low.y += low.x, low.z += low.y, low.w += low.z;
    high.x += low.w, high.y += high.x, high.z += high.y, high.w += high.z;
    float sum = high.w;
    for (int step = 1; step < 32; step *= 2) {
      const float before = __shfl_up_sync(wholeWarp, sum, step);
      if (lane >= step) sum += before;
    }
    if (lane == 31) ofWarps[warp] = sum;
    __syncthreads();
    if (warp == 0) {
      float upTo = lane < warps ? ofWarps[lane] : 0.0f;
      for (int step = 1; step < 32; step *= 2) {
        const float before = __shfl_up_sync(wholeWarp, upTo, step);
        if (lane >= step) upTo += before;
      }
      ofWarps[lane] = upTo;
    }
    __syncthreads();
    const float before = sum - high.w + (warp > 0 ? ofWarps[warp - 1] : 0.0f);
    low.x += before, low.y += before, low.z += before, low.w += before;
    high.x += before, high.y += before, high.z += before, high.w += before;
    out[i] = low;
    out[i + 1] = high;
    __syncthreads();
  }
}

__global__ void histogramGlobal(const int* in, int* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i] & 255], 1);
}
__global__ void histogramShared(const int* in, int* bins, int n) {
  __shared__ int own[256];
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) own[bin] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i] & 255], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)
    if (own[bin] > 0) atomicAdd(&bins[bin], own[bin]);
}

// How many are larger: each thread counts its own, and adds them once.
__global__ void countLarger(const float* in, float limit, int* counter, int n) {
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > limit) ++own;
  if (own > 0) atomicAdd(counter, own);
}

__global__ void mandelbrot(int* out, int width) {
  const int pixels = width * width;
  for (int pixel = blockIdx.x * blockDim.x + threadIdx.x; pixel < pixels; pixel += gridDim.x * blockDim.x) {
    const int x = pixel % width, y = pixel / width;
    const float cr = -2.0f + 3.0f * x / width, ci = -1.5f + 3.0f * y / width;
    float r = 0, i = 0;
    int step = 0;
    for (; step < 256 && r * r + i * i < 4; ++step) {
      const float next = r * r - i * i + cr;
      i = 2 * r * i + ci;
      r = next;
    }
    out[pixel] = step;
  }
}

// The block loads as many bodies as it has threads; all its threads add up their forces.
__global__ void bodies(const float4* position, float4* force, int n) {
  extern __shared__ float4 others[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = position[i];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int first = 0; first < n; first += blockDim.x) {
    others[threadIdx.x] = position[first + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < blockDim.x; ++j) {
      const float4 other = others[j];
      const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      const float d = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      sum.x += dx * d * d * d, sum.y += dy * d * d * d, sum.z += dz * d * d * d;
    }
    __syncthreads();
  }
  force[i] = sum;
}

// Sorts tiles of 1,024 in shared memory, one after the other.
constexpr int sortedTile = 1024;
__global__ void sortTiles(const int* in, int* out, int tiles) {
  __shared__ int values[sortedTile];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    for (int i = threadIdx.x; i < sortedTile; i += blockDim.x) values[i] = in[t * sortedTile + i];
    for (int size = 2; size <= sortedTile; size *= 2)
      for (int distance = size / 2; distance > 0; distance /= 2) {
        __syncthreads();
        for (int pair = threadIdx.x; pair < sortedTile / 2; pair += blockDim.x) {
          const int i = 2 * pair - (pair & (distance - 1));
          const bool ascending = (i & size) == 0;
          const int low = values[i], high = values[i + distance];
          if ((low > high) == ascending) {
            values[i] = high;
            values[i + distance] = low;
          }
        }
      }
    __syncthreads();
    for (int i = threadIdx.x; i < sortedTile; i += blockDim.x) out[t * sortedTile + i] = values[i];
    __syncthreads();
  }
}

__global__ void multiplySparse(const int* rowBegin, const int* column, const float* value, const float* x,
                               float* y, int rows) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += gridDim.x * blockDim.x) {
    const int end = rowBegin[row + 1];
    float sum = 0;
    for (int k = rowBegin[row]; k < end; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}
// A warp for each row.
__global__ void multiplySparseByWarps(const int* rowBegin, const int* column, const float* value,
                                      const float* x, float* y, int rows) {
  const int lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32; row < rows; row += warps) {
    const int end = rowBegin[row + 1];
    float sum = 0;
    for (int k = rowBegin[row] + lane; k < end; k += 32) sum += value[k] * x[column[k]];
    sum = sumOfWarp(sum);
    if (lane == 0) y[row] = sum;
  }
}

__global__ void walkTree(const int* tree, const int* keys, int* depth, int nodes, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int key = keys[i] % nodes;
    int node = 0, steps = 0;
    while (node < nodes) {
      const int here = tree[node];
      if (here == key) break;
      node = 2 * node + (key < here ? 1 : 2);
      ++steps;
    }
    depth[i] = steps;
  }
}
