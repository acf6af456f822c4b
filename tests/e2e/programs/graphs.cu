// Graphs: captured from two streams, made by hand, launched again with other arguments. And launches by calls: typed, by
// a void pointer, with a configuration.
#include "check.h"

__global__ void add(int* out, int value) {
  out[threadIdx.x] += value;
}
template <class T>
__global__ void scale(T* out, T factor) {
  out[threadIdx.x] *= factor;
}

constexpr int n = 4;

void capture(int* out, cudaStream_t stream) {
  cudaStream_t other;
  cudaEvent_t fork, join;
  CUDA_CHECK(cudaStreamCreate(&other));
  CUDA_CHECK(cudaEventCreate(&fork));
  CUDA_CHECK(cudaEventCreate(&join));
  CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CUDA_CHECK(cudaMemsetAsync(out, 0, n * sizeof(int), stream));
  add<<<1, n, 0, stream>>>(out, 3);
  CUDA_CHECK(cudaEventRecord(fork, stream));
  CUDA_CHECK(cudaStreamWaitEvent(other, fork, 0));
  scale<<<1, n, 0, other>>>(out, 5);
  CUDA_CHECK(cudaEventRecord(join, other));
  CUDA_CHECK(cudaStreamWaitEvent(stream, join, 0));
  add<<<1, n, 0, stream>>>(out, 1);
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CUDA_CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  EXPECT(nodes == 4);
  cudaGraphExec_t instance;
  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  for (int i = 0; i < 2; ++i) CUDA_CHECK(cudaGraphLaunch(instance, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaGraphExecDestroy(instance));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaEventDestroy(fork));
  CUDA_CHECK(cudaEventDestroy(join));
  CUDA_CHECK(cudaStreamDestroy(other));
}

// By a variable that points to the kernel, which is named where it comes from.
template <class Kernel>
void* address(Kernel kernel) {
  return (void*)kernel;
}

void build(int* out, cudaStream_t stream) {
  cudaGraph_t graph;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  int value = 10;
  void* arguments[] = {&out, &value};
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)add;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(n);
  parameters.kernelParams = arguments;
  cudaGraphNode_t last, first;
  CUDA_CHECK(cudaGraphAddKernelNode(&last, graph, nullptr, 0, &parameters));
  parameters.func = address(&scale<int>);
  value = 2;
  CUDA_CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &parameters));
  CUDA_CHECK(cudaGraphAddDependencies(graph, &first, &last, nullptr, 1));
  cudaGraphExec_t instance;
  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CUDA_CHECK(cudaGraphLaunch(instance, stream));
  value = 3;
  CUDA_CHECK(cudaGraphExecKernelNodeSetParams(instance, first, &parameters));
  CUDA_CHECK(cudaGraphLaunch(instance, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaGraphExecDestroy(instance));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

void call(int* out, cudaStream_t stream) {
  int value = 7;
  void* arguments[] = {&out, &value};
  CUDA_CHECK(cudaLaunchKernel(add, dim3(1), dim3(n), arguments, 0, stream));
  CUDA_CHECK(cudaLaunchKernel((const void*)scale<int>, 1, n, arguments, 16, nullptr));
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(n);
  config.stream = stream;
  CUDA_CHECK(cudaLaunchKernelEx(&config, add, out, 1));
  const void* kernel = (const void*)add;
  CUDA_CHECK(cudaLaunchKernelExC(&config, kernel, arguments));
}

// Other parameters before the graph is instantiated, and in one of two instances.
void change(int* out) {
  cudaGraph_t graph, clone;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  int value = 1;
  void* arguments[] = {&out, &value};
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = (void*)add;
  parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
  parameters.kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CUDA_CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
  parameters.kernel.blockDim = dim3(n);
  parameters.kernel.sharedMemBytes = 32;
  CUDA_CHECK(cudaGraphNodeSetParams(node, &parameters));
  CUDA_CHECK(cudaGraphClone(&clone, graph));
  cudaGraphExec_t instances[2];
  CUDA_CHECK(cudaGraphInstantiate(&instances[0], graph, 0));
  CUDA_CHECK(cudaGraphInstantiate(&instances[1], clone, 0));
  value = 100;
  parameters.kernel.sharedMemBytes = 16;
  CUDA_CHECK(cudaGraphExecNodeSetParams(instances[0], node, &parameters));
  for (cudaGraphExec_t instance : instances) {
    CUDA_CHECK(cudaGraphLaunch(instance, nullptr));
    CUDA_CHECK(cudaStreamSynchronize(nullptr));
    CUDA_CHECK(cudaGraphExecDestroy(instance));
  }
  CUDA_CHECK(cudaGraphDestroy(clone));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

void expect(const int* out, int value) {
  int result[n];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) EXPECT(result[i] == value);
}

int main() {
  int* out = nullptr;
  cudaStream_t stream;
  CUDA_CHECK(cudaMalloc(&out, n * sizeof(int)));
  CUDA_CHECK(cudaStreamCreate(&stream));
  capture(out, stream);
  expect(out, 3 * 5 + 1);
  build(out, stream);
  expect(out, (16 * 2 + 10) * 3 + 10);
  call(out, stream);
  expect(out, (136 + 7) * 7 + 1 + 7);
  change(out);
  expect(out, 1009 + 100 + 1);
  CUDA_CHECK(cudaStreamDestroy(stream));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
