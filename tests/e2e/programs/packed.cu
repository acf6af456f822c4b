// What lies in arrays and structures within packed ones, at addresses that its type does not allow elsewhere.
#include "check.h"

#define ELEMENT(s, i) ((s)->b[i])

struct __attribute__((packed)) Packed {
  char tag;
  int b[4];
  short m[2][3];
  __device__ int both(int i) const { return b[i] + this->m[0][1]; }
};

struct Part {
  int x;
  short y;
};

struct __attribute__((packed)) Outer {
  char tag;
  Part parts[2];
  Packed inner;
};

#pragma pack(push, 1)
struct Pushed {
  char tag;
  double wide[2];
};
#pragma pack(pop)

template <class T>
struct __attribute__((packed)) Cell {
  char tag;
  T values[2];
};
template <class T>
__global__ void cells(Cell<T>* cell) {
  const int i = threadIdx.x;
  cell[i].values[1] = i;
  cell[i].values[1]--;
}

__global__ void elements(Packed* p, Outer* o, Pushed* r, const int* order, int* out) {
  const int i = threadIdx.x;
  p->b[i] = i;
  __syncwarp();
  p[i].m[1][2] += 1;
  o[i].parts[1].y = p->b[order[i]];
  ++o[i].inner.b[3];
  r[i].wide[1] = ELEMENT(p, 3 - i);
  Part copy = o[i].parts[1];
  copy.x = 7;
  o[i].parts[0] = copy;
  out[i] = p->both(i);
}

struct __attribute__((packed)) Straddling {
  char tag;
  short near : 7, both : 9;
  int part : 20;
  long long wide : 40;
};
__global__ void straddling(Straddling* s, long long* sums) {
  const int i = threadIdx.x;
  s[i].both = -i;
  s[i].part += 1000 + i;
  s[i].wide = (1ll << 38) - i;
  sums[i] = s[i].both + s[i].part + s[i].wide;
}

void checkStraddling() {
  Straddling* s = nullptr;
  long long* sums = nullptr;
  CUDA_CHECK(cudaMallocManaged(&s, 4 * sizeof(Straddling)));
  CUDA_CHECK(cudaMallocManaged(&sums, 4 * sizeof(long long)));
  for (int i = 0; i < 4; ++i) s[i] = {'t', 5, 6, -7, 8};
  straddling<<<1, 4>>>(s, sums);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i)
    EXPECT(s[i].tag == 't' && s[i].near == 5 && s[i].both == -i && s[i].part == 993 + i &&
           sums[i] == (1ll << 38) + 993 - i);
  CUDA_CHECK(cudaFree(s));
  CUDA_CHECK(cudaFree(sums));
}

int main() {
  Packed* p = nullptr;
  Outer* o = nullptr;
  Pushed* r = nullptr;
  int *order = nullptr, *out = nullptr;
  void* memory = nullptr;
  CUDA_CHECK(cudaMalloc(&p, 4 * sizeof(Packed)));
  CUDA_CHECK(cudaMalloc(&o, 4 * sizeof(Outer)));
  CUDA_CHECK(cudaMalloc(&r, 4 * sizeof(Pushed)));
  CUDA_CHECK(cudaMalloc(&order, 4 * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&memory, 4 * sizeof(Cell<double>)));
  CUDA_CHECK(cudaMemset(p, 0, 4 * sizeof(Packed)));
  CUDA_CHECK(cudaMemset(o, 0, 4 * sizeof(Outer)));
  const int hostOrder[4] = {2, 3, 0, 1};
  CUDA_CHECK(cudaMemcpy(order, hostOrder, sizeof hostOrder, cudaMemcpyHostToDevice));
  elements<<<1, 4>>>(p, o, r, order, out);
  cells<<<1, 4>>>(static_cast<Cell<short>*>(memory));
  cells<<<1, 4>>>(static_cast<Cell<double>*>(memory));
  Packed hostPacked[4];
  Outer hostOuter[4];
  Pushed hostPushed[4];
  Cell<double> hostCells[4];
  int hostOut[4];
  CUDA_CHECK(cudaMemcpy(hostPacked, p, sizeof hostPacked, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostOuter, o, sizeof hostOuter, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostPushed, r, sizeof hostPushed, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostCells, memory, sizeof hostCells, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostOut, out, sizeof hostOut, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i)
    EXPECT(hostPacked[i].m[1][2] == 1 && hostOuter[i].parts[0].x == 7 &&
           hostOuter[i].parts[0].y == hostOrder[i] && hostOuter[i].inner.b[3] == 1 &&
           hostPushed[i].wide[1] == 3 - i && hostCells[i].values[1] == i - 1 && hostOut[i] == i);
  for (void* block : {static_cast<void*>(p), static_cast<void*>(o), static_cast<void*>(r),
                      static_cast<void*>(order), static_cast<void*>(out), memory})
    CUDA_CHECK(cudaFree(block));
  checkStraddling();
  return verdict();
}
