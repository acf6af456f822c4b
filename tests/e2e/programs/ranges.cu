// Loops over ranges whose elements they copy: each turn loads one.
#include "check.h"

struct Pair {
  int first;
  float second;
};
struct Grid {
  short cells[3];
  Pair pairs[2];
};

/// With iterators of its own, which lead to every second element.
struct Every {
  struct Iterator {
    const int* at;
    __device__ const int& operator*() const { return *at; }
    __device__ Iterator& operator++() {
      at += 2;
      return *this;
    }
    __device__ bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  const int* first;
  __device__ Iterator begin() const { return {first}; }
  __device__ Iterator end() const { return {first + 6}; }
};
struct View {
  const int *first, *last;
  __device__ const int* begin() const { return first; }
  __device__ const int* end() const { return last; }
};

template <class Range>
__device__ int total(const Range& range) {
  int sum = 0;
  for (auto x : range) sum += x;
  return sum;
}

__constant__ int table[5] = {1, 2, 3, 4, 5};
#define ADD_ALL(sum) \
  for (int x : table) sum += x

__global__ void copies(const int* in, const Grid* grids, int* out) {
  __shared__ int tile[4];
  const int t = threadIdx.x;
  tile[t] = t;
  __syncthreads();
  int sum = 0;
  for (int x : tile) sum += x;
  for (int x : grids[t].cells) sum += x;
  for (auto [first, second] : grids[t].pairs) sum += first + second;
  for (int x : View{in, in + 3}) sum += x;
  for (int x : Every{in}) sum += x;
  ADD_ALL(sum);
  const int own[2] = {1, 2};
  sum += total(tile) + total(own);
  for (int x : grids[0].cells) {
    if (x == t) break;
    sum += 100;
  }
  out[t] = sum;
}

int main() {
  int *in = nullptr, *out = nullptr;
  Grid* grids = nullptr;
  CUDA_CHECK(cudaMallocManaged(&in, 6 * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&out, 4 * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&grids, 4 * sizeof(Grid)));
  for (int i = 0; i < 6; ++i) in[i] = i;
  for (int i = 0; i < 4; ++i) grids[i] = {{0, 1, 2}, {{i, 1}, {i, 2}}};
  copies<<<1, 4>>>(in, grids, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  // tile 6, cells 3, pairs 2 t + 3, view 3, every second 6, table 15, tile again 6, own 3.
  for (int i = 0; i < 4; ++i) EXPECT(out[i] == 45 + 2 * i + 100 * (i < 3 ? i : 3));
  for (void* p : {(void*)in, (void*)out, (void*)grids}) CUDA_CHECK(cudaFree(p));
  return verdict();
}
