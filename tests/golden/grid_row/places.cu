// Accesses that all threads of a row of the grid make alike, under conditions that other threads' can be told
// from: one warp can account for all of them.
// expect: CUI_BY_ROW((#, (const decltype(i) i = (blockIdx.x * blockDim.x + threadIdx.x); (void)(i)), ((i < n))), (#, a[i], #, b[i]), b[i] = a[i]);
// expect: (!(x >= extents.width || y >= extents.height) && !(at >= 1000))
// expect: CUI_BY_ROW((#, (), ((threadIdx.x < count && !(n > 5 || !(threadIdx.y < 2))))), (#, b[3]), b[3]) : 0
// expect: atomicAdd(CUI_POINTER(#, c + CUI_SAME_ROW((#, ()), (#, b[4]), b[4])), 1)
// expect: (#, a[i], #, b[i]), CUI_ACCESS(#, points[a[i]].x) = b[i]);
// expect: CUI_BY_ROW((#, (), ((threadIdx.x < count))), (#, b[threadIdx.x]), b[threadIdx.x]) = 1;
struct Extents {
  int width, height;
};

__global__ void conditions(const float* a, float* b, int n, unsigned count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
  if (i >= 1 && i < n - 1) b[i] = a[i - 1] + a[i + 1];
  if (!(i >= n)) {
    b[2 * i] = a[n - 1 - i];
  } else {
    b[0] = a[0];
  }
  if (threadIdx.x < count) b[threadIdx.x] = 1;
  if (n > 3 && blockIdx.y == 2) b[i] = 2;
}

__global__ void leaves(const float* in, float* out, Extents extents) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= extents.width || y >= extents.height) return;
  const int at = y * extents.width + x;
  if (at >= 1000) {
    return;
  }
  const float* const row = in + y * extents.width;
  out[at] = row[x] + in[at + 1];
}

template <int Size>
__global__ void tiles(const int* in, int* out, int pitch) {
  __shared__ int tile[Size][Size + 1];
  const unsigned tx = threadIdx.x, ty{threadIdx.y};
  int first = blockIdx.y * Size, steps = 0;
  for (int step = 0; step < pitch; ++step) steps += 2;
  first += steps;
  tile[ty][tx] = in[(first + ty) * pitch + blockIdx.x * Size + tx];
  __syncthreads();
  out[(blockIdx.x * Size + ty) * pitch + tx] = tile[tx][ty];
}
template __global__ void tiles<16>(const int*, int*, int);
template __global__ void tiles<32>(const int*, int*, int);

__global__ void afterOthers(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; in[k] > 0; ++k) {
    if (k == i) break;
    sum += 1;
  }
  out[i] = sum;
}

struct Point {
  int x, y;
};
// By themselves: where they are made under a condition, or beside what stays where it is.
__global__ void single(const int* a, const int* b, int* c, Point* points, unsigned count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[a[i] & 3] = threadIdx.x < count && !(n > 5 || !(threadIdx.y < 2)) ? b[3] : 0;
  atomicAdd(c + b[4], 1);
  points[a[i]].x = b[i];
}
