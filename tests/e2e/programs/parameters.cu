// Objects as a kernel's parameters: they are copied and end on the host, once each, whatever their classes do
// then, and each thread has the bits for itself.
#include "check.h"

static int copies = 0, ends = 0;

/// Owns its memory, in a way: the copy that the launch makes frees it when the launch has returned.
struct Buffer {
  int* data = nullptr;
  int count = 0;
  bool owns = false;

  explicit Buffer(int n) : count(n) { CUDA_CHECK(cudaMalloc(&data, n * sizeof(int))); }
  Buffer(const Buffer& other) : data(other.data), count(other.count) { ++copies; }
  ~Buffer() {
    ++ends;
    if (owns) CUDA_CHECK(cudaFree(data));
  }
  Buffer& operator=(const Buffer&) = delete;
};

/// Its copies are code for both sides, but a launch copies it on the host.
struct Scale {
  int factor;
  __host__ __device__ explicit Scale(int f) : factor(f) {}
  __host__ __device__ Scale(const Scale& other) : factor(other.factor + 1) {}
};

template <class T>
__global__ void fill(T buffer, Scale scale) {
  buffer.count -= threadIdx.x;  // each thread's own
  buffer.data[threadIdx.x] = buffer.count * scale.factor;
  __syncthreads();
  if (buffer.count == 64 && threadIdx.x == 0) buffer.data[1] += buffer.data[63];
}

/// Given as lists in braces, whose values are evaluated once, on the host.
struct Range {
  int* data;
  int begin, end;
};
enum class Mode { off, on };
__global__ void number(Range range, Mode mode, int3 steps, int start) {
  const int i = range.begin + threadIdx.x;
  if (mode == Mode::on && i < range.end) range.data[i] = start + i * steps.y;
}

void checkLists() {
  int* data;
  int evaluated = 0;
  CUDA_CHECK(cudaMallocManaged(&data, 64 * sizeof(int)));
  number<<<1, 32>>>({data, ++evaluated, 20}, {Mode::on}, {1, 2, 3}, {});
  if (evaluated == 1) number<<<1, 8>>>({data + 32, 0, 8}, Mode::on, {0, 5}, {4});
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 1; i < 20; ++i) EXPECT(data[i] == 2 * i);
  for (int i = 0; i < 8; ++i) EXPECT(data[32 + i] == 4 + 5 * i);
  EXPECT(evaluated == 1);
  CUDA_CHECK(cudaFree(data));
}

/// Taken by reference, from managed memory: there is no copy.
struct Counted {
  int value;
  Counted() : value(1) {}
  Counted(const Counted& other) : value(other.value) { ++copies; }
};
__global__ void raise(Counted& counted, int& by) {
  counted.value += by;
  by = 0;
}

void checkReferences() {
  Counted* counted;
  int* by;
  CUDA_CHECK(cudaMallocManaged(&counted, sizeof(Counted)));
  CUDA_CHECK(cudaMallocManaged(&by, sizeof(int)));
  counted->value = 1;
  *by = 4;
  const int before = copies;
  raise<<<1, 1>>>(*counted, *by);
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(counted->value == 5 && *by == 0 && copies == before);

  // A call is given the objects' addresses.
  Counted* to = counted;
  void* arguments[] = {&to, &by};
  *by = 2;
  CUDA_CHECK(cudaLaunchKernel(raise, dim3(1), dim3(1), arguments, 0, nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(counted->value == 7 && *by == 0);
  *by = 3;
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(raise), dim3(1), dim3(1), arguments, 0,
                                         nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(counted->value == 10 && *by == 0);
  // Which a node keeps.
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphExec_t instance;
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void*>(raise);
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  CUDA_CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  to = nullptr;
  *by = 5;
  CUDA_CHECK(cudaGraphLaunch(instance, nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  EXPECT(counted->value == 15 && *by == 0 && copies == before);
  CUDA_CHECK(cudaGraphExecDestroy(instance));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaFree(counted));
  CUDA_CHECK(cudaFree(by));
}

int main() {
  {
    Buffer buffer(64);
    buffer.owns = true;
    fill<<<1, 64>>>(buffer, Scale(2));
    EXPECT(copies == 1 && ends == 1);
    const Scale scale(4);
    fill<Buffer><<<1, 32>>>(buffer, scale);
    EXPECT(copies == 2 && ends == 2);
    int result[64];
    CUDA_CHECK(cudaMemcpy(result, buffer.data, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i) EXPECT(result[i] == (i < 32 ? 5 : 2) * (64 - i) + (i == 1 ? 2 : 0));
    int n = 3;
    void* arguments[] = {&buffer, &n};
    CUDA_CHECK(cudaLaunchKernel(fill<Buffer>, dim3(1), dim3(2), arguments, 0, nullptr));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaMemcpy(result, buffer.data, sizeof result, cudaMemcpyDeviceToHost));
    EXPECT(copies == 2 && ends == 2 && result[0] == 192 && result[1] == 189 + 2);
  }
  EXPECT(ends == 3);
  checkLists();
  checkReferences();
  return verdict();
}
