// What nvcc lets pass and Clang calls an error costs nothing.
// cpu: no, the host's compiler does not let all of it pass
// expect: return CUI_ACCESS(#, *p);
// expect: { CUI_ACCESS(#, p[0]) = 1; }
// expect: CUI_ACCESS(#, p[1]) = 2;
// expect: case 0: int x = CUI_ACCESS(#, p[2]);
// expect: case 1: CUI_ACCESS(#, p[3]) = 2;
// expect: default: CUI_ACCESS(#, p[4]) = 3;
// expect: CUI_ACCESS(#, p[t.x]) = b.x + copy.y;
// expect: CUI_ACCESS(#, p[sum(threadIdx)]) = sum(blockDim);
// expect: CUI_ACCESS(#, p[0]) = umin(4u, 3u)
// expect-not: Clang rejects
typedef unsigned int Word;
__device__ Word qualified(const __restrict__ Word* p) { return *p; }

__global__ void unrolls(int* p) {
#pragma unroll
  { p[0] = 1; }
#pragma unroll
  p[1] = 2;
}

__global__ void jumps(int* p, int k) {
  switch (k) {
    case 0: int x = p[2]; p[0] = x; break;
    case 1: p[3] = 2; break;
    default: p[4] = 3;
  }
}

// Special registers, copied whole.
template <class T>
__device__ int sum(T index) { return index.x + index.y + index.z; }
__global__ void indices(int* p) {
  auto t = threadIdx;
  const auto b = blockIdx;
  decltype(threadIdx) copy = threadIdx;
  p[t.x] = b.x + copy.y;
  p[sum(threadIdx)] = sum(blockDim);
}

// Functions that nvcc has on both sides.
void onHost(unsigned int* p) { p[0] = umin(1u, 2u) + umax(1u, 2u) + static_cast<unsigned int>(llmin(1, 2) + ullmax(3, 4)); }
__global__ void onDevice(unsigned int* p) { p[0] = umin(4u, 3u) + umax(1u, 2u) + static_cast<unsigned int>(llmin(1, 2) + ullmax(3, 4)); }
