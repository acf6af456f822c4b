// Pointers (and temporary memory) that library code is given: what it accesses through them is not recorded, and rows say so. A
// range has one row; what only computes other pointers, or follows pointers to the thread's own, has none.
// standard: 17 20
// cpu: no, CUB is not there without a toolkit
// expect: Load(temporary).Load(in + 4 * blockIdx.x, items);
// expect: "cub::ThreadLoad<cub::LOAD_LDG>(in + i)", "in", "i"
// expect: "curand(&blocks->state)"
// expect-not: "curand(&mine)"
// expect-not: "thrust::raw_pointer_cast(out)"
// expect-not: "own::fill_n(out, 4, 1)"
// expect-not: "__cvta_generic_to_shared(tile)"
// expect-not: "free(list->items)"
#include <cub/block/block_load.cuh>
#include <cub/thread/thread_load.cuh>
#include <curand_kernel.h>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/memory.h>
namespace own {
__device__ void fill_n(int* to, int count, int value) {
  for (int i = 0; i < count; ++i) to[i] = value;
}
}  // namespace own
struct Block {
  int values[4];
  curandState state;
};
__global__ void reads(const int* in, int* out, int i) {
  using Load = cub::BlockLoad<int, 32, 4>;
  __shared__ typename Load::TempStorage temporary;
  int items[4];
  Load(temporary).Load(in + 4 * blockIdx.x, items);
  out[0] = cub::ThreadLoad<cub::LOAD_LDG>(in + i);
  // The range and the value.
  out[1] = static_cast<int>(thrust::lower_bound(thrust::seq, in, in + i, 5) - in);
  const int* mine = thrust::lower_bound(thrust::seq, items, items + 4, 5);
  out[2] = *mine;
}
__global__ void states(Block* blocks, curandState* all, int* out) {
  curand_init(1, 2, 3, &all[threadIdx.x]);
  curandState mine = all[threadIdx.x];
  out[0] = static_cast<int>(curand(&mine) + curand(&blocks->state));
  all[threadIdx.x] = mine;
}
template <class T>
__global__ void generic(const T* in, T* out, int n) {
  out[0] = *thrust::upper_bound(thrust::seq, in, in + n, T(5));
}
__global__ void kept(int* out) {
  __shared__ int tile[32];
  int* raw = thrust::raw_pointer_cast(out);
  raw[0] = static_cast<int>(__cvta_generic_to_shared(tile));
  own::fill_n(out, 4, 1);
  int exponent;
  out[1] = static_cast<int>(frexpf(1.5f, &exponent));
}
// The heap's own words are not the program's memory.
struct List {
  int* items;
};
__global__ void given(List* list) {
  if (list->items != nullptr) free(list->items);
  list->items = static_cast<int*>(malloc(16));
}
void launch(const int* in, int* out) {
  generic<<<1, 32>>>(in, out, 4);
}
