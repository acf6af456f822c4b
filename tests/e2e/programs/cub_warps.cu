// CUB's algorithms of a warp and its sorts by a comparison: what they compute, and what the kernels access
// beside them.
#include <cub/cub.cuh>
#include <cub/iterator/cache_modified_output_iterator.cuh>

#include "check.h"

constexpr int threads = 64, items = 4, count = threads * items;

struct Descending {
  __device__ bool operator()(int a, int b) const { return b < a; }
};
struct Larger {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct ByTens {
  __device__ bool operator()(int a, int b) const { return a / 10 < b / 10; }
};

// Both warps: blocked by way of shared memory, and back in the other order.
__global__ void moveWarps(const int* in, int* out) {
  using Load = cub::WarpLoad<int, items, cub::WARP_LOAD_TRANSPOSE>;
  using Store = cub::WarpStore<int, items, cub::WARP_STORE_STRIPED>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
  } storage[threads / 32];
  const int warp = threadIdx.x / 32;
  int own[items];
  Load(storage[warp].load).Load(in + warp * 32 * items, own, 127 - warp, -1);
  __syncwarp();
  Store(storage[warp].store).Store(out + warp * 32 * items, own);
}

__global__ void sortBlock(int* keys, int* rest) {
  using Sort = cub::BlockMergeSort<int, threads, items, int>;
  __shared__ Sort::TempStorage storage;
  int key[items], value[items];
  for (int i = 0; i < items; ++i) {
    key[i] = keys[threadIdx.x * items + i];
    value[i] = threadIdx.x * items + i;
  }
  Sort(storage).StableSort(key, value, ByTens());
  for (int i = 0; i < items; ++i) rest[threadIdx.x * items + i] = value[i];
  __syncthreads();
  Sort(storage).Sort(key, Descending(), 100, -1);
  for (int i = 0; i < items; ++i) keys[threadIdx.x * items + i] = key[i];
}

// Four logical warps of sixteen.
__global__ void sortWarps(int* keys) {
  using Sort = cub::WarpMergeSort<int, items, 16>;
  __shared__ Sort::TempStorage storage[threads / 16];
  int key[items];
  cub::LoadDirectBlocked(threadIdx.x, keys, key);
  Sort(storage[threadIdx.x / 16]).Sort(key, Descending());
  cub::StoreDirectBlocked(threadIdx.x, keys, key);
}

__global__ void sumSegments(int* out) {
  using Reduce = cub::WarpReduce<int, 16>;
  __shared__ Reduce::TempStorage storage[threads / 16];
  const int me = threadIdx.x, lane = me % 16;
  Reduce reduce(storage[me / 16]);
  const int heads = reduce.HeadSegmentedSum(me, lane % 6 == 0);
  const int tails = reduce.TailSegmentedReduce(me, lane % 6 == 5 || lane == 15, Larger());
  if (lane % 6 == 0) {
    out[me] = heads;
    out[threads + me] = tails;
  }
}

__global__ void rank(const unsigned* in, int* ranks, int* firsts) {
  using Rank = cub::BlockRadixRank<threads, 4, false>;
  __shared__ Rank::TempStorage storage;
  unsigned keys[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  int own[2], first[Rank::BINS_TRACKED_PER_THREAD] = {};
  Rank(storage).RankKeys(keys, own, cub::BFEDigitExtractor<unsigned>(4, 4), first);
  for (int i = 0; i < 2; ++i) ranks[2 * threadIdx.x + i] = own[i];
  if (threadIdx.x < 16) firsts[threadIdx.x] = first[0];
}

__global__ void decode(int* out, int* total) {
  using Decode = cub::BlockRunLengthDecode<int, threads, 1, 2>;
  __shared__ Decode::TempStorage storage;
  int value[1] = {static_cast<int>(threadIdx.x)}, length[1] = {static_cast<int>(threadIdx.x % 4)}, all = 0;
  Decode runs(storage, value, length, all);
  int decoded[2], offset[2];
  runs.RunLengthDecode(decoded, offset);
  cub::CacheModifiedOutputIterator<cub::STORE_CS, int> to(out);
  for (int i = 0; i < 2; ++i)
    if (2 * static_cast<int>(threadIdx.x) + i < all) to[2 * threadIdx.x + i] = 10 * decoded[i] + offset[i];
  if (threadIdx.x == 0) *total = all;
}

__global__ void through(cub::CacheModifiedInputIterator<cub::LOAD_LDG, int> in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + *(in + 1);
}

int* numbers(int n) {
  int* all;
  CUDA_CHECK(cudaMallocManaged(&all, n * sizeof(int)));
  return all;
}

int main() {
  int *a = numbers(count), *b = numbers(count), *c = numbers(count);
  for (int i = 0; i < count; ++i) a[i] = i;
  moveWarps<<<1, threads>>>(a, b);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int warp = 0; warp < 2; ++warp)  // item i of a lane came from 4 * lane + i, and went to 32 * i + lane
    for (int at = 0; at < 128; ++at) {
      const int from = at % 32 * items + at / 32;
      EXPECT(b[warp * 128 + at] == (from < 127 - warp ? warp * 128 + from : -1));
    }

  for (int i = 0; i < count; ++i) a[i] = 7 * i % count;  // each of 0 to 255 once
  sortBlock<<<1, threads>>>(a, b);
  CUDA_CHECK(cudaDeviceSynchronize());
  // By tens, otherwise in their order: 7 * b is what is there.
  for (int i = 1; i < count; ++i) {
    const int before = 7 * b[i - 1] % count / 10, now = 7 * b[i] % count / 10;
    EXPECT(before < now || (before == now && b[i - 1] < b[i]));
  }
  // The first hundred then were 0 to 99; what is behind them CUB does not say.
  for (int i = 0; i < 100; ++i) EXPECT(a[i] == 99 - i);

  for (int i = 0; i < count; ++i) a[i] = 7 * i % count;
  sortWarps<<<1, threads>>>(a);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) EXPECT(i % 64 == 0 || a[i - 1] > a[i]);

  sumSegments<<<1, threads>>>(b);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int warp = 0; warp < threads; warp += 16) {  // segments of 6, 6 and 4
    EXPECT(b[warp] == 6 * warp + 15 && b[warp + 6] == 6 * warp + 51 && b[warp + 12] == 4 * warp + 54);
    EXPECT(b[threads + warp] == warp + 5 && b[threads + warp + 6] == warp + 11);
    EXPECT(b[threads + warp + 12] == warp + 15);
  }

  for (int i = 0; i < 128; ++i) a[i] = i % 16 * 16 + i % 3;  // digits 0 to 15, eight times
  rank<<<1, threads>>>(reinterpret_cast<unsigned*>(a), b, c);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) EXPECT(b[i] == i % 16 * 8 + i / 16);
  for (int i = 0; i < 16; ++i) EXPECT(c[i] == 8 * i);

  decode<<<1, threads>>>(b, c);  // 0, 1, 2, 3 items: six of each four threads'
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(*c == 96);
  const int thread[6] = {1, 2, 2, 3, 3, 3}, offset[6] = {0, 0, 1, 0, 1, 2};
  for (int i = 0; i < 96; ++i) EXPECT(b[i] == 10 * (i / 6 * 4 + thread[i % 6]) + offset[i % 6]);

  for (int i = 0; i < count; ++i) a[i] = i + 5;
  through<<<1, threads>>>(a, b);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) EXPECT(b[i] == i + 11);
  return verdict();
}
