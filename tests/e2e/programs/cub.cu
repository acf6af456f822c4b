// CUB's interface: what blocks, warps and the whole device compute, against loops of the host.
#include <algorithm>
#include <cub/cub.cuh>
#include <vector>

#include "check.h"

constexpr int threads = 96, items = 3, n = threads * items;

struct Running {
  int total;
  __device__ int operator()(int blocks) {
    const int before = total;
    total += blocks;
    return before;
  }
};

__global__ void blocks(const int* in, int* out) {
  using Load = cub::BlockLoad<int, threads, items, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, threads, items>;
  using Reduce = cub::BlockReduce<int, threads>;
  using Scan = cub::BlockScan<int, threads>;
  using Exchange = cub::BlockExchange<int, threads, items>;
  using Sort = cub::BlockRadixSort<int, threads, items, int>;
  using Difference = cub::BlockAdjacentDifference<int, threads>;
  __shared__ union {
    Load::TempStorage load;
    Store::TempStorage store;
    Reduce::TempStorage reduce;
    Scan::TempStorage scan;
    Exchange::TempStorage exchange;
    Sort::TempStorage sort;
    Difference::TempStorage difference;
  } shared;
  int own[items], result[items], other[items];
  Load(shared.load).Load(in, own);
  __syncthreads();

  const int sum = Reduce(shared.reduce).Sum(own);
  __syncthreads();
  const int largest = Reduce(shared.reduce).Reduce(own[0], cub::Max(), 50);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = largest;
  }
  out += 2;

  int all;
  Scan(shared.scan).ExclusiveSum(own, result, all);
  __syncthreads();
  Store(shared.store).Store(out, result);
  out += n;
  Running running{all};
  Scan(shared.scan).InclusiveSum(own[0], result[0], running);
  __syncthreads();
  out[threadIdx.x] = result[0];
  out += threads;
  Scan(shared.scan).InclusiveScan(own[0], result[0], cub::Min());
  __syncthreads();
  out[threadIdx.x] = result[0];
  out += threads;

  Exchange(shared.exchange).BlockedToStriped(own, result);
  __syncthreads();
  cub::StoreDirectStriped<threads>(threadIdx.x, out, result);
  out += n;

  for (int i = 0; i < items; ++i) {
    result[i] = own[i];
    other[i] = threadIdx.x * items + i;
  }
  Sort(shared.sort).SortDescending(result, other);
  __syncthreads();
  cub::StoreDirectBlocked(threadIdx.x, out, result);
  cub::StoreDirectBlocked(threadIdx.x, out + n, other);
  out += 2 * n;

  Difference(shared.difference).SubtractLeft(own, result, cub::Difference());
  cub::StoreDirectBlocked(threadIdx.x, out, result);
}

void checkBlocks(const std::vector<int>& host, const int* in) {
  int* out;
  CUDA_CHECK(cudaMallocManaged(&out, 4096 * sizeof(int)));
  blocks<<<1, threads>>>(in, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  int sum = 0, largest = 0;
  for (int i = 0; i < n; ++i) sum += host[i];
  for (int i = 0; i < 50; ++i) largest = std::max(largest, host[items * i]);
  EXPECT(out[0] == sum && out[1] == largest);
  const int* at = out + 2;
  for (int i = 0, before = 0; i < n; before += host[i++]) EXPECT(at[i] == before);
  at += n;
  for (int i = 0, before = sum; i < threads; ++i) {
    // The prefix is the total of all items, the block's own sum only of each thread's first.
    before += host[items * i];
    EXPECT(at[i] == before);
  }
  at += threads;
  for (int i = 0, least = host[0]; i < threads; ++i)
    EXPECT(at[i] == (least = std::min(least, host[items * i])));
  at += threads;
  EXPECT(std::equal(at, at + n, host.begin()));
  at += n;
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] > host[b]; });
  for (int i = 0; i < n; ++i) EXPECT(at[i] == host[order[i]] && at[n + i] == order[i]);
  at += 2 * n;
  for (int i = 0; i < n; ++i) EXPECT(at[i] == (i > 0 ? host[i] - host[i - 1] : host[0]));
  CUDA_CHECK(cudaFree(out));
}

// Logical warps of 8 lanes.
__global__ void warps(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int, 8>;
  using Scan = cub::WarpScan<int>;
  using Exchange = cub::WarpExchange<int, 2, 8>;
  __shared__ Reduce::TempStorage reduce[4];
  __shared__ Scan::TempStorage scan;
  __shared__ Exchange::TempStorage exchange[4];
  const int warp = threadIdx.x / 8;
  const int sum = Reduce(reduce[warp]).Sum(in[threadIdx.x], 5);
  if (threadIdx.x % 8 == 0) out[warp] = sum;
  int before, all;
  Scan(scan).ExclusiveSum(in[threadIdx.x], before, all);
  out[4 + threadIdx.x] = before;
  if (threadIdx.x == 7) out[36] = all;
  int own[2] = {in[2 * threadIdx.x], in[2 * threadIdx.x + 1]};
  Exchange(exchange[warp]).BlockedToStriped(own);
  for (int i = 0; i < 2; ++i) out[37 + 16 * warp + 8 * i + threadIdx.x % 8] = own[i];
}

void checkWarps(const std::vector<int>& host, const int* in) {
  int* out;
  CUDA_CHECK(cudaMallocManaged(&out, 101 * sizeof(int)));
  warps<<<1, 32>>>(in, out);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int warp = 0; warp < 4; ++warp) {
    int sum = 0;
    for (int i = 0; i < 5; ++i) sum += host[8 * warp + i];
    EXPECT(out[warp] == sum);
  }
  int before = 0;
  for (int i = 0; i < 32; before += host[i++]) EXPECT(out[4 + i] == before);
  EXPECT(out[36] == before);
  EXPECT(std::equal(out + 37, out + 101, host.begin()));
  CUDA_CHECK(cudaFree(out));
}

/// CUB's two calls.
template <class Algorithm>
void run(Algorithm algorithm) {
  void* memory = nullptr;
  size_t bytes = 0;
  CUDA_CHECK(algorithm(memory, bytes));
  CUDA_CHECK(cudaMalloc(&memory, bytes));
  CUDA_CHECK(algorithm(memory, bytes));
  CUDA_CHECK(cudaFree(memory));
}

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};
struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

void checkDevice(const std::vector<int>& host, const int* in) {
  int *out, *more;
  CUDA_CHECK(cudaMallocManaged(&out, (n + 1) * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&more, (n + 1) * sizeof(int)));
  int sum = 0, squares = 0;
  for (int x : host) {
    sum += x;
    squares += x * x;
  }
  run([&](void* m, size_t& b) { return cub::DeviceReduce::Sum(m, b, in, out, n); });
  EXPECT(out[0] == sum);
  cub::TransformInputIterator<int, Square, const int*> squared(in, Square());
  run([&](void* m, size_t& b) { return cub::DeviceReduce::Sum(m, b, squared, out, n); });
  EXPECT(out[0] == squares);
  cub::KeyValuePair<int, int>* best;
  CUDA_CHECK(cudaMallocManaged(&best, sizeof *best));
  run([&](void* m, size_t& b) { return cub::DeviceReduce::ArgMax(m, b, in, best, n); });
  EXPECT(best->key == std::max_element(host.begin(), host.end()) - host.begin() &&
         best->value == host[best->key]);
  CUDA_CHECK(cudaFree(best));

  run([&](void* m, size_t& b) { return cub::DeviceScan::ExclusiveSum(m, b, in, out, n); });
  for (int i = 0, before = 0; i < n; before += host[i++]) EXPECT(out[i] == before);
  run([&](void* m, size_t& b) { return cub::DeviceSelect::If(m, b, in, out, more, n, IsEven()); });
  std::vector<int> even;
  std::copy_if(host.begin(), host.end(), std::back_inserter(even), IsEven());
  EXPECT(*more == static_cast<int>(even.size()) && std::equal(even.begin(), even.end(), out));

  std::vector<int> sorted(host);
  std::sort(sorted.begin(), sorted.end());
  run([&](void* m, size_t& b) { return cub::DeviceRadixSort::SortPairs(m, b, in, out, in, more, n); });
  EXPECT(std::equal(sorted.begin(), sorted.end(), out) && std::equal(sorted.begin(), sorted.end(), more));
  run([&](void* m, size_t& b) { return cub::DeviceHistogram::HistogramEven(m, b, in, out, 5, -10, 30, n); });
  for (int bin = 0; bin < 4; ++bin)
    EXPECT(out[bin] == std::count_if(host.begin(), host.end(),
                                     [bin](int x) { return x >= 10 * bin - 10 && x < 10 * bin; }));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(more));
}

int main() {
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i * 37 % 53 - 20;
  int* in;
  CUDA_CHECK(cudaMallocManaged(&in, n * sizeof(int)));
  std::copy(host.begin(), host.end(), in);
  checkBlocks(host, in);
  checkWarps(host, in);
  checkDevice(host, in);
  CUDA_CHECK(cudaFree(in));
  return verdict();
}
