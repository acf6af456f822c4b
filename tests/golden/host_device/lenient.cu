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
// expect: bool Ray<T>::hit(const T* p, int i) { CUI_ACCESS(#, t) = CUI_ACCESS(#, p[i]);
// expect: int Plain::at(const int* p, int i) { return CUI_ACCESS(#, p[i]); }
// expect: T twice(const T* p, int i) { return 2 * CUI_ACCESS(#, p[i]); }
// expect: int thrice(const int* p, int i) { return 3 * CUI_ACCESS(#, p[i]); }
// expect: int both(const int* p) { return CUI_ACCESS(#, *p); }
// expect: sums[i] = CUI_ACCESS(#, b.bins[i]);
// expect: "r"(CUI_ACCESS(#, p[1])))
// expect: typeof(*p) copied = CUI_ACCESS(#, p[1]);
// expect: if (CUI_ACCESS(#, p[5]) == 0) return;
// expect: Table::Table(T* p) : place(p) { CUI_INITIALISED(#, this->place); CUI_ACCESS(#, CUI_ACCESS(#, place)[0]) = 1; }
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

// Declared for both sides, defined for one, and the other way round.
template <class T> struct Ray {
  T t;
  inline __host__ __device__ bool hit(const T* p, int i);
};
template <class T> inline __device__ bool Ray<T>::hit(const T* p, int i) { t = p[i]; return t > 0; }
struct Plain { inline __host__ __device__ int at(const int* p, int i); };
inline __device__ int Plain::at(const int* p, int i) { return p[i]; }
template <class T> inline __host__ __device__ T twice(const T* p, int i);
template <class T> inline __device__ T twice(const T* p, int i) { return 2 * p[i]; }
#define ON_DEVICE inline __device__
inline __host__ __device__ int thrice(const int* p, int i);
ON_DEVICE int thrice(const int* p, int i) { return 3 * p[i]; }
__device__ inline int both(const int* p);
__host__ __device__ inline int both(const int* p) { return *p; }
__global__ void sides(int* p) {
  Ray<int> ray{0};
  p[0] = ray.hit(p, 1) + Plain().at(p, 2) + twice(p, 3) + thrice(p, 4) + both(p);
}

// A constant of an object that is only known by reference.
struct Bins { enum { count = 4 }; int bins[count]; };
template <class B> __device__ int sum(const B& b, int n) {
  int sums[b.count];
  for (int i = 0; i < n; ++i) sums[i] = b.bins[i];
  return sums[0];
}
__global__ void sizes(int* p, Bins* b) { p[0] = sum(*b, 4); }

// No comma between the operands.
__global__ void parted(int* p) {
  int x, y;
  asm("add.cc.s32 %0, %2, 1; addc.s32 %1, %3, 0;" : "=r"(x) "=r"(y) : "r"(p[0]) "r"(p[1]));
  p[0] = x + y;
}

// GCC's word, in every standard.
__global__ void sameType(int* p) { typeof(*p) copied = p[1]; p[0] = copied; }

// As old programs leave main() when something is wrong.
__device__ int noValue(const int* p) {
  if (p[5] == 0) return;
  return 1;
}

// Members that name their class in it, which GCC takes of templates.
struct Table {
  float* place;
  template <class T>
  __device__ Table::Table(T* p) : place(p) { place[0] = 1; }
};
__global__ void named(float* p, Table* q) { *q = Table(p); }
