// Exclusive prefix sum: each block scans a section in shared memory with the work-efficient tree, the
// sections' totals are scanned by one block, and a last kernel adds each section's start to its elements.
// The tree's strides are powers of two, which is what makes its shared accesses conflict.
//   scan [elements]
#include <cstddef>
#include <vector>

#include "../common/example.h"

constexpr int blockSize = 256;
constexpr int sectionSize = 2 * blockSize;

/// `totals` (one per section) may be null.
__global__ void scanSections(const unsigned* in, unsigned* out, unsigned* totals, int n) {
  __shared__ unsigned section[sectionSize];
  const int thread = threadIdx.x;
  const int first = blockIdx.x * sectionSize + thread;
  const int second = first + blockSize;
  section[thread] = first < n ? in[first] : 0;
  section[thread + blockSize] = second < n ? in[second] : 0;

  // Up: every right child gets its left sibling's sum.
  for (int stride = 1, active = blockSize; active > 0; stride *= 2, active /= 2) {
    __syncthreads();
    if (thread < active) section[stride * (2 * thread + 2) - 1] += section[stride * (2 * thread + 1) - 1];
  }
  if (thread == 0) {
    if (totals != nullptr) totals[blockIdx.x] = section[sectionSize - 1];
    section[sectionSize - 1] = 0;
  }
  // Down: the left child takes the parent's prefix, the right one the parent's plus the left sum.
  for (int stride = blockSize, active = 1; active <= blockSize; stride /= 2, active *= 2) {
    __syncthreads();
    if (thread < active) {
      const int left = stride * (2 * thread + 1) - 1;
      const int right = left + stride;
      const unsigned leftSum = section[left];
      section[left] = section[right];
      section[right] += leftSum;
    }
  }
  __syncthreads();
  if (first < n) out[first] = section[thread];
  if (second < n) out[second] = section[thread + blockSize];
}

__global__ void addSectionStarts(unsigned* out, const unsigned* starts, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += starts[i / sectionSize];
}

int main(int argc, char** argv) {
  const int n = sizeArgument(argc, argv, 16384, sectionSize * sectionSize);
  const std::size_t bytes = n * sizeof(unsigned);
  const int sections = divideRoundingUp(n, sectionSize);

  std::vector<unsigned> input(n), expected(n), output(n);
  for (int i = 0; i < n; ++i) {
    input[i] = i % 11;
    expected[i] = i == 0 ? 0 : expected[i - 1] + input[i - 1];
  }

  unsigned *deviceIn = nullptr, *deviceOut = nullptr, *deviceTotals = nullptr;
  CUDA_CHECK(cudaMalloc(&deviceIn, bytes));
  CUDA_CHECK(cudaMalloc(&deviceOut, bytes));
  CUDA_CHECK(cudaMalloc(&deviceTotals, sections * sizeof(unsigned)));
  CUDA_CHECK(cudaMemcpy(deviceIn, input.data(), bytes, cudaMemcpyHostToDevice));

  scanSections<<<sections, blockSize>>>(deviceIn, deviceOut, deviceTotals, n);
  CUDA_CHECK(cudaGetLastError());
  scanSections<<<1, blockSize>>>(deviceTotals, deviceTotals, nullptr, sections);
  CUDA_CHECK(cudaGetLastError());
  addSectionStarts<<<divideRoundingUp(n, blockSize), blockSize>>>(deviceOut, deviceTotals, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(output.data(), deviceOut, bytes, cudaMemcpyDeviceToHost));

  CUDA_CHECK(cudaFree(deviceIn));
  CUDA_CHECK(cudaFree(deviceOut));
  CUDA_CHECK(cudaFree(deviceTotals));
  return report("scan", n, output == expected);
}
