// What each block has to record for itself: it is not surely what the others do there.
// expect-not: CUI_ALIKE
// expect-not: CUI_IN_ALIKE
struct Cells {
  int at[4];
};

__device__ void called(int* cells) {
  __shared__ int own[32];
  own[threadIdx.x] = 1;  // by whom, and how often
}

__global__ void places(const int* a, int* b, int n) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int k = 0, m = 0;
  if (a[i] > 0) ++k;
  for (int round = 0; round < i; ++round) ++m;
  tile[i & 255] = 1;
  tile[a[i]] = 2;
  tile[k] = 3;
  tile[m] = 4;
  int* const some = n > 3 ? tile : b;
  some[threadIdx.x] = 5;  // not surely shared
  b[threadIdx.x] = 6;
  called(tile);
}

__global__ void ways(const int* a, int n) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) tile[threadIdx.x] = 1;
  if (a[i] > 0) tile[threadIdx.x] = 2;
  for (int k = 0; k < i; ++k) {
    tile[threadIdx.x] = k;
    __syncthreads();
  }
  for (int k = 0; k < n; ++k) {
    tile[threadIdx.x] = k;
    if (a[k] > i) break;
  }
  while (true) {
    tile[threadIdx.x] = 3;
    if (a[0]) break;
  }
  for (int k = 0; k < n; ++k) {
    if (a[k] == i) continue;
    tile[threadIdx.x] = 4;
    __syncthreads();
  }
  i < n && (tile[threadIdx.x] = 5);
  const auto later = [&] { tile[threadIdx.x] = 6; };
  later();
  if (i >= n) return;
  tile[threadIdx.x] = 7;
}

__global__ void jumps(int n) {
  __shared__ int tile[256];
again:
  tile[threadIdx.x] = 1;
  if (tile[0] == 0) goto again;
}
