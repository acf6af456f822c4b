// Loops in which a tile has to be recorded for itself: it is not surely what the others are.
// expect-not: CUI_ALIKE
// expect-not: CUI_TILE
__global__ void kept(const float* in, float* out, int tiles, int some) {
  __shared__ float buffer[2][256];
  int phase = 0, before = 0;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    buffer[phase][threadIdx.x] = in[t * 256 + threadIdx.x];  // which one, the times round tell
    phase ^= 1;
    if (in[t] > 0) before = t;
    buffer[0][before] = 0;
    buffer[0][t % 256] = 1;
  }
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) ++before;
  buffer[1][before] = 2;  // behind a loop that blocks go round unequally often
  if (blockIdx.x < 4)
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) buffer[0][threadIdx.x] = in[t];
}

__global__ void left(const float* in, float* out, int tiles) {
  __shared__ float buffer[256];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    if (tiles > 100) break;
    buffer[threadIdx.x] = in[t];
    __syncthreads();
  }
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    buffer[threadIdx.x] = in[t];
    if (in[t] > 7) return;
  }
}

__global__ void others(const float* in, float* out, int tiles, int n) {
  __shared__ float buffer[256];
  for (int t = blockIdx.x; t < tiles; t += blockDim.x) buffer[threadIdx.x] = in[t];  // not each once
  for (int t = blockIdx.x + 1; t < tiles; t += gridDim.x) buffer[threadIdx.x] = in[t];
  for (int t = blockIdx.x; t <= tiles; t += gridDim.x) buffer[threadIdx.x] = in[t];
  for (int t = blockIdx.y; t < tiles; t += gridDim.x) buffer[threadIdx.x] = in[t];
  for (int t = blockIdx.x; t < int(threadIdx.x); t += gridDim.x) buffer[threadIdx.x] = in[t];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) buffer[threadIdx.x] = in[t++];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x, --tiles) buffer[threadIdx.x] = in[t];
  for (int k = 1; k < n; ++k)  // of how many it is one differs from time to time
    for (int t = blockIdx.x; t < n / k; t += gridDim.x) buffer[threadIdx.x] = in[t];
  for (int k = 1; k < n; ++k) {
    const int some = n - k;
    for (int t = blockIdx.x; t < some; t += gridDim.x) buffer[threadIdx.x] = in[t];
  }
  for (int t = blockIdx.x; t < n; t += gridDim.x) {
    const int n = 3;
    buffer[threadIdx.x + n] = in[t];  // how many there are cannot be said here
  }
}
