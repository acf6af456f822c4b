// What the programs of the GPU benchmark share: the kernels' times, memory that checks itself, numbers to
// work on. One line `name,milliseconds,checksum` for each kernel (the median of several runs). The checksum
// of what the kernel wrote must not depend on how the program was built.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

inline char** only = nullptr;  ///< run these kernels alone; ends with a null
constexpr int runs = 5;

inline bool chosen(const char* name) {
  for (char** asked = only; asked != nullptr && *asked != nullptr; ++asked)
    if (std::strcmp(*asked, name) == 0) return true;
  return only == nullptr;
}

template <class T>
struct Array {
  T* data = nullptr;
  std::size_t count;
  explicit Array(std::size_t n) : count(n) {
    CHECK(cudaMalloc(&data, n * sizeof(T)));
    CHECK(cudaMemset(data, 0, n * sizeof(T)));
  }
  explicit Array(const std::vector<T>& host) : Array(host.size()) {
    CHECK(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(data); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  unsigned long long checksum() const {
    std::vector<unsigned char> host(count * sizeof(T));
    CHECK(cudaMemcpy(host.data(), data, host.size(), cudaMemcpyDeviceToHost));
    unsigned long long sum = 1469598103934665603ull;
    for (std::size_t i = 0; i + 4 <= host.size(); i += 4) {
      unsigned word;
      std::memcpy(&word, &host[i], 4);
      sum = (sum ^ word) * 1099511628211ull;
    }
    return sum;
  }
};

/// Runs `launch` several times and prints the median time and the checksum of `result`.
template <class T, class Launch>
void measure(const char* name, const Array<T>& result, Launch launch) {
  if (!chosen(name)) return;
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int run = 0; run <= runs; ++run) {
    CHECK(cudaEventRecord(begin));
    launch();
    CHECK(cudaEventRecord(end));
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    if (run > 0) times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s,%.6f,%llx\n", name, static_cast<double>(times[times.size() / 2]), result.checksum());
  std::fflush(stdout);
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
}

/// Reproducible noise.
inline std::vector<int> noise(std::size_t n, unsigned limit) {
  std::vector<int> values(n);
  unsigned long long state = 88172645463325252ull;
  for (int& value : values) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    value = static_cast<int>(state % limit);
  }
  return values;
}
inline std::vector<float> floats(std::size_t n) {
  std::vector<float> values(n);
  const std::vector<int> from = noise(n, 1024);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(from[i]) / 1024.0f;
  return values;
}
/// Puts `low` to `high` (not included) into `tree` in search order.
inline void plant(std::vector<int>& tree, std::size_t node, int low, int high) {
  if (node >= tree.size()) return;
  const int middle = low + (high - low) / 2;
  tree[node] = middle;
  plant(tree, 2 * node + 1, low, middle);
  plant(tree, 2 * node + 2, middle + 1, high);
}
