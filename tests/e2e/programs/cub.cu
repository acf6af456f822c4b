// CUB's interface: what blocks, warps and the whole device compute, against loops of the host.
#include <algorithm>
#include <cub/cub.cuh>
#include <vector>

#include "check.h"

constexpr int threads = 96, items = 3, n = threads * items;

struct Larger {
  __device__ int operator()(int a, int b) const { return a < b ? b : a; }
};
struct Smaller {
  __device__ int operator()(int a, int b) const { return a < b ? a : b; }
};
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};

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
  const int largest = Reduce(shared.reduce).Reduce(own[0], Larger(), 50);
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
  Scan(shared.scan).InclusiveScan(own[0], result[0], Smaller());
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

  Difference(shared.difference).SubtractLeft(own, result, Minus());
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
  Exchange(exchange[warp]).BlockedToStriped(own, own);
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

struct Plus {
  template <class A, class B>
  __host__ __device__ auto operator()(A a, B b) const {
    return a + b;
  }
};
struct AlwaysEqual {
  __host__ __device__ bool operator()(int, int) const { return true; }
};
struct IsEven {
  __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

void checkDevice(const std::vector<int>& host, const int* in) {
  int *out, *more;
  CUDA_CHECK(cudaMallocManaged(&out, (n + 1) * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&more, (n + 1) * sizeof(int)));
  int sum = 0;
  for (int x : host) sum += x;
  run([&](void* m, size_t& b) { return cub::DeviceReduce::Sum(m, b, in, out, n); });
  EXPECT(out[0] == sum);
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

// Items in runs of equal keys, the keys' runs of lengths 1, 2, 3, …
void checkByKey(const std::vector<int>& host, const int* in) {
  int *keys, *out;
  CUDA_CHECK(cudaMallocManaged(&keys, n * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&out, n * sizeof(int)));
  const auto fill = [&] {
    for (int i = 0, key = 0, left = 1; i < n; ++i, --left) {
      if (left == 0) left = ++key + 1;
      keys[i] = key % 2;
    }
  };
  fill();
  run([&](void* m, size_t& b) { return cub::DeviceScan::ExclusiveSumByKey(m, b, keys, in, out, n); });
  for (int i = 0, before = 0; i < n; before += host[i++]) {
    if (i > 0 && keys[i] != keys[i - 1]) before = 0;
    EXPECT(out[i] == before);
  }
  run([&](void* m, size_t& b) {
    return cub::DeviceScan::InclusiveScanByKey(m, b, keys, in, out, Larger(), n);
  });
  for (int i = 0, largest = 0; i < n; ++i) {
    largest = i > 0 && keys[i] == keys[i - 1] ? std::max(largest, host[i]) : host[i];
    EXPECT(out[i] == largest);
  }
  // The output may be the keys; of keys that count as equal there is one run.
  run([&](void* m, size_t& b) {
    fill();
    return cub::DeviceScan::ExclusiveScanByKey(m, b, keys, in, keys, Larger(), 7, n, AlwaysEqual());
  });
  for (int i = 0, largest = 7; i < n; largest = std::max(largest, host[i++])) EXPECT(keys[i] == largest);
  CUDA_CHECK(cudaFree(keys));
  CUDA_CHECK(cudaFree(out));
}

// An operator's result decides what a sum is kept in: neither what it begins with nor what it goes to.
void checkSums() {
  float *in, *out;
  unsigned char* small;
  double* wide;
  CUDA_CHECK(cudaMallocManaged(&in, n * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&out, n * sizeof(float)));
  CUDA_CHECK(cudaMallocManaged(&small, n));
  CUDA_CHECK(cudaMallocManaged(&wide, n * sizeof(double)));
  for (int i = 0; i < n; ++i) in[i] = i % 2 == 0 ? 0.5f : 0.25f;
  for (int i = 0; i < n; ++i) small[i] = 200;
  run([&](void* m, size_t& b) { return cub::DeviceScan::ExclusiveScan(m, b, in, out, Plus(), 0, n); });
  for (int i = 0; i < n; ++i) EXPECT(out[i] == 0.375f * i + (i % 2 == 0 ? 0.0f : 0.125f));
  run([&](void* m, size_t& b) { return cub::DeviceReduce::Reduce(m, b, in, out, n, Plus(), 0); });
  EXPECT(out[0] == 0.375f * n);
  run([&](void* m, size_t& b) { return cub::DeviceScan::InclusiveScan(m, b, small, wide, Plus(), n); });
  EXPECT(wide[n - 1] == 200.0 * n);
  in[0] = 16777216;  // beyond which a float does not count
  for (int i = 1; i < n; ++i) in[i] = 1;
  run([&](void* m, size_t& b) { return cub::DeviceScan::InclusiveScan(m, b, in, wide, Plus(), 2); });
  EXPECT(wide[1] == 16777216);
  run([&](void* m, size_t& b) {
    return cub::DeviceScan::InclusiveScanInit(m, b, small, wide, Plus(), 0.5, n);
  });
  EXPECT(wide[n - 1] == 200.0 * n + 0.5);
  *wide = 3;
  run([&](void* m, size_t& b) {
    return cub::DeviceScan::ExclusiveScan(m, b, small, out, Plus(), cub::FutureValue<double>(wide), n);
  });
  EXPECT(out[0] == 3 && out[n - 1] == 3 + 200.0f * (n - 1));
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  CUDA_CHECK(cudaFree(small));
  CUDA_CHECK(cudaFree(wide));
}

// Segments that are empty, of one item, and gaps between them that nothing writes.
void checkSegments(const std::vector<int>& host, const int* in) {
  const std::vector<int> hostBegins = {0, 5, 5, 6, 100, 150}, hostEnds = {5, 5, 6, 90, 150, n};
  const int segments = static_cast<int>(hostBegins.size());
  int *begins, *ends, *out, *values, *places;
  for (int** p : {&begins, &ends, &out, &values, &places})
    CUDA_CHECK(cudaMallocManaged(p, 2 * n * sizeof(int)));
  std::copy(hostBegins.begin(), hostBegins.end(), begins);
  std::copy(hostEnds.begin(), hostEnds.end(), ends);
  const auto check = [&](const int* keys, const int* where, bool descending) {
    for (int s = 0; s < segments; ++s) {
      std::vector<int> order;
      for (int i = hostBegins[s]; i < hostEnds[s]; ++i) order.push_back(i);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return descending ? host[a] > host[b] : host[a] < host[b]; });
      for (size_t i = 0; i < order.size(); ++i) {
        EXPECT(keys[hostBegins[s] + i] == host[order[i]]);
        if (where) EXPECT(where[hostBegins[s] + i] == order[i]);
      }
    }
  };
  const auto clear = [&] {
    for (int i = 0; i < 2 * n; ++i) out[i] = places[i] = -1;
    for (int i = 0; i < n; ++i) values[i] = i;
  };
  clear();
  run([&](void* m, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortKeys(m, b, in, out, n, segments, begins, ends);
  });
  check(out, nullptr, false);
  for (int i = 90; i < 100; ++i) EXPECT(out[i] == -1);
  clear();
  run([&](void* m, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortPairsDescending(m, b, in, out, values, places, n, segments,
                                                              begins, ends);
  });
  check(out, places, true);
  clear();
  run([&](void* m, size_t& b) {
    return cub::DeviceSegmentedSort::StableSortPairs(m, b, in, out, values, places, n, segments, begins,
                                                     ends);
  });
  check(out, places, false);
  run([&](void* m, size_t& b) {
    return cub::DeviceSegmentedSort::SortKeysDescending(m, b, in, out, n, segments, begins, ends);
  });
  check(out, nullptr, true);
  clear();
  std::copy(host.begin(), host.end(), out);
  cub::DoubleBuffer<int> keys(out, out + n), whose(values, places);
  run([&](void* m, size_t& b) {
    return cub::DeviceSegmentedRadixSort::SortPairs(m, b, keys, whose, n, segments - 1, begins, begins + 1, 0,
                                                    32);
  });
  EXPECT(std::is_sorted(keys.Current() + 6, keys.Current() + 100));
  for (int i = 0; i < 150; ++i) EXPECT(host[whose.Current()[i]] == keys.Current()[i]);
  for (int* p : {begins, ends, out, values, places}) CUDA_CHECK(cudaFree(p));
}

__global__ void histograms(const int* in, int* counts, unsigned* both) {
  using Sorted = cub::BlockHistogram<unsigned char, threads, items, 64>;
  using Atomic = cub::BlockHistogram<unsigned char, threads, items, 64, cub::BLOCK_HISTO_ATOMIC>;
  __shared__ union {
    Sorted::TempStorage sorted;
    Atomic::TempStorage atomic;
  } shared;
  __shared__ int bins[64];
  unsigned char own[items];
  for (int i = 0; i < items; ++i) own[i] = in[threadIdx.x * items + i] + 20;
  Sorted(shared.sorted).Histogram(own, bins);
  __syncthreads();
  if (threadIdx.x < 64) counts[threadIdx.x] = bins[threadIdx.x];
  Atomic(shared.atomic).InitHistogram(bins);
  __syncthreads();
  Atomic(shared.atomic).Composite(own, bins);
  Atomic(shared.atomic).Composite(own, both);
  __syncthreads();
  if (threadIdx.x < 64) counts[threadIdx.x] += bins[threadIdx.x];
}

void checkHistograms(const std::vector<int>& host, const int* in) {
  int* counts;
  unsigned* both;
  CUDA_CHECK(cudaMallocManaged(&counts, 64 * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&both, 64 * sizeof(unsigned)));
  std::fill(both, both + 64, 0u);
  histograms<<<2, threads>>>(in, counts, both);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int bin = 0; bin < 64; ++bin) {
    const auto expected = std::count(host.begin(), host.end(), bin - 20);
    EXPECT(both[bin] == 2 * expected);
  }
  histograms<<<1, threads>>>(in, counts, both);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int bin = 0; bin < 64; ++bin)
    EXPECT(counts[bin] == 2 * std::count(host.begin(), host.end(), bin - 20));
  CUDA_CHECK(cudaFree(counts));
  CUDA_CHECK(cudaFree(both));
}

struct Greater {
  __host__ __device__ bool operator()(int a, int b) const { return a > b; }
};

// What stays in its place, or goes elsewhere with what belongs to it.
void checkKept(const std::vector<int>& host, const int* in) {
  int *keys, *values, *out, *kept;
  char* flags;
  for (int** p : {&keys, &values, &out, &kept}) CUDA_CHECK(cudaMallocManaged(p, n * sizeof(int)));
  CUDA_CHECK(cudaMallocManaged(&flags, n));
  std::vector<int> even, order(n);
  std::copy_if(host.begin(), host.end(), std::back_inserter(even), IsEven());
  const int count = static_cast<int>(even.size());
  for (int i = 0; i < n; ++i) flags[i] = host[i] % 2 == 0;
  std::copy(host.begin(), host.end(), keys);
  run([&](void* m, size_t& b) { return cub::DeviceSelect::If(m, b, keys, kept, n, IsEven()); });
  EXPECT(*kept == count && std::equal(even.begin(), even.end(), keys));
  std::copy(host.begin(), host.end(), keys);
  const cudaStream_t stream = nullptr;
  run([&](void* m, size_t& b) { return cub::DeviceSelect::Flagged(m, b, keys, flags, kept, n, stream); });
  EXPECT(*kept == count && std::equal(even.begin(), even.end(), keys));

  for (int i = 0; i < n; ++i) keys[i] = i / 3, values[i] = i;
  run([&](void* m, size_t& b) {
    return cub::DeviceSelect::UniqueByKey(m, b, keys, values, out, keys, kept, n);
  });
  EXPECT(*kept == n / 3);
  for (int i = 0; i < n / 3; ++i) EXPECT(out[i] == i && keys[i] == 3 * i);

  for (int i = 0; i < n; ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return host[a] > host[b]; });
  run([&](void* m, size_t& b) {
    return cub::DeviceMergeSort::SortPairsCopy(m, b, in, values, out, keys, n, Greater());
  });
  for (int i = 0; i < n; ++i) EXPECT(out[i] == host[order[i]] && host[keys[i]] == out[i] && values[i] == i);
  run([&](void* m, size_t& b) {
    return cub::DeviceMergeSort::StableSortKeysCopy(m, b, in, out, n, Greater());
  });
  for (int i = 0; i < n; ++i) EXPECT(out[i] == host[order[i]]);
  for (int* p : {keys, values, out, kept}) CUDA_CHECK(cudaFree(p));
  CUDA_CHECK(cudaFree(flags));
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
  checkByKey(host, in);
  checkSums();
  checkSegments(host, in);
  checkHistograms(host, in);
  checkKept(host, in);
  CUDA_CHECK(cudaFree(in));
  return verdict();
}
