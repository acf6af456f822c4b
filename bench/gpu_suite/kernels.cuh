// The kernels of the GPU benchmark: access patterns that a recorder meets, each as plain as it gets.
#pragma once

constexpr int tile = 32;

__global__ void vectorAdd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void gather(const float* in, const int* index, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}

__global__ void scatter(const float* in, const int* index, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[index[i]] = in[i];
}

struct Particle {
  float x, y, z, mass;
};
__global__ void arrayOfStructs(Particle* particles, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[i].x += particles[i].mass;
}
__global__ void structOfArrays(float* x, const float* mass, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += mass[i];
}

__global__ void transposeNaive(const float* in, float* out, int width) {
  const int x = blockIdx.x * tile + threadIdx.x;
  for (int y = threadIdx.y; y < tile; y += blockDim.y) {
    const int row = blockIdx.y * tile + y;
    out[x * width + row] = in[row * width + x];
  }
}
template <int Pad>
__global__ void transposeTiled(const float* in, float* out, int width) {
  __shared__ float block[tile][tile + Pad];
  for (int y = threadIdx.y; y < tile; y += blockDim.y)
    block[y][threadIdx.x] = in[(blockIdx.y * tile + y) * width + blockIdx.x * tile + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < tile; y += blockDim.y)
    out[(blockIdx.x * tile + y) * width + blockIdx.y * tile + threadIdx.x] = block[threadIdx.x][y];
}

__global__ void multiplyNaive(const float* a, const float* b, float* c, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < width; ++k) sum += a[y * width + k] * b[k * width + x];
  c[y * width + x] = sum;
}
__global__ void multiplyTiled(const float* a, const float* b, float* c, int width) {
  __shared__ float left[16][16], right[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int step = 0; step < width; step += 16) {
    left[ty][tx] = a[y * width + step + tx];
    right[ty][tx] = b[(step + ty) * width + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  c[y * width + x] = sum;
}

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float partial[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

__global__ void scanBlocks(const float* in, float* out, int n) {
  __shared__ float sums[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    const float before = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  if (i < n) out[i] = sums[threadIdx.x];
}

__global__ void histogramGlobal(const int* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i] & 255], 1);
}
__global__ void histogramShared(const int* in, int* bins, int n) {
  __shared__ int own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[in[i] & 255], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void stencil(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 && i < n - 2) out[i] = in[i - 2] + in[i - 1] + in[i] + in[i + 1] + in[i + 2];
}

__global__ void mandelbrot(int* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float cr = -2.0f + 3.0f * x / width, ci = -1.5f + 3.0f * y / width;
  float r = 0, i = 0;
  int step = 0;
  for (; step < 256 && r * r + i * i < 4; ++step) {
    const float next = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = next;
  }
  out[y * width + x] = step;
}

__global__ void bodies(const float4* position, float4* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 own = position[i];
  float4 sum = make_float4(0, 0, 0, 0);
  for (int j = 0; j < n; ++j) {
    const float4 other = position[j];
    const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
    const float d = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    sum.x += dx * d * d * d, sum.y += dy * d * d * d, sum.z += dz * d * d * d;
  }
  force[i] = sum;
}

__global__ void bitonicStep(int* values, int distance, int size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
  if (other <= i) return;
  const bool ascending = (i & size) == 0;
  const int low = values[i], high = values[other];
  if ((low > high) == ascending) {
    values[i] = high;
    values[other] = low;
  }
}

__global__ void multiplySparse(const int* rowBegin, const int* column, const float* value, const float* x,
                               float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = rowBegin[row]; k < rowBegin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// A search tree in an array; each lane looks for its own key and stops where it finds it.
__global__ void walkTree(const int* tree, const int* keys, int* depth, int nodes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
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

__global__ void countOne(int* counter, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(counter, 1);
}

__global__ void streamVectors(const float4* in, float4* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void invertBytes(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<unsigned char>(~in[i]);
}

// Reads everything again and again: many more records than the pool holds.
__global__ void readAgain(const float* in, float* out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int round = 0; round < rounds; ++round) sum += in[(i + 32 * round) & (n - 1)];
  out[i] = sum;
}
