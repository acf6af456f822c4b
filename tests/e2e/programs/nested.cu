// Kernels that launch kernels, blocks that meet each other, and a kernel that decides how often its graph
// runs it.
#include <cooperative_groups.h>

#include "check.h"

constexpr int blocks = 2, children = 8;

__global__ void collect(const int* parts, int* sum) {
  atomicAdd(sum, parts[threadIdx.x]);
}

template <class T>
__global__ void fill(T* part, T first) {
  part[threadIdx.x] = first + threadIdx.x;
}

__global__ void parent(int* parts, int* sum) {
  int* mine = parts + blockIdx.x * children;
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) collect<<<1, blocks * children, 0, cudaStreamTailLaunch>>>(parts, sum);
    fill<int><<<1, children>>>(mine, mine[children - 1]);
  }
}

__global__ void rotate(int* cell) {
  const int next = cell[(blockIdx.x + 1) % gridDim.x];
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) cell[blockIdx.x] = next;
}

__global__ void countDown(int* counter, cudaGraphConditionalHandle again) {
  cudaGraphSetConditional(again, --*counter);
}

void runGraph() {
  cudaGraph_t graph;
  cudaGraphExec_t instance;
  cudaGraphNode_t nodes[4];
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle again;
  CUDA_CHECK(cudaGraphConditionalHandleCreate(&again, graph, 1, cudaGraphCondAssignDefault));

  cudaGraphNodeParams memory = {cudaGraphNodeTypeMemAlloc};
  memory.alloc.bytesize = sizeof(int); memory.alloc.poolProps.allocType = cudaMemAllocationTypePinned; memory.alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
  CUDA_CHECK(cudaGraphAddNode(&nodes[0], graph, nullptr, nullptr, 0, &memory));
  void* counter = memory.alloc.dptr;
  cudaMemsetParams three = {counter, 0, 3, 4, 1, 1};
  CUDA_CHECK(cudaGraphAddMemsetNode(&nodes[1], graph, nodes, 1, &three));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = again;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  CUDA_CHECK(cudaGraphAddNode(&nodes[2], graph, nodes + 1, nullptr, 1, &loop));
  void* arguments[] = {&counter, &again};
  cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
  kernel.kernel.func = (void*)countDown;
  kernel.kernel.gridDim = kernel.kernel.blockDim = dim3(1);
  kernel.kernel.kernelParams = arguments;
  CUDA_CHECK(cudaGraphAddNode(&nodes[3], loop.conditional.phGraph_out[0], nullptr, nullptr, 0, &kernel));
  CUDA_CHECK(cudaGraphAddMemFreeNode(&nodes[3], graph, nodes + 2, 1, counter));

  CUDA_CHECK(cudaGraphInstantiate(&instance, graph, 0));
  CUDA_CHECK(cudaGraphLaunch(instance, nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaGraphExecDestroy(instance));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

int main() {
  int host[blocks * children] = {};
  host[children - 1] = 100;
  host[2 * children - 1] = 200;
  int *parts = nullptr, *sum = nullptr;
  CUDA_CHECK(cudaMalloc(&parts, sizeof host));
  CUDA_CHECK(cudaMalloc(&sum, sizeof(int)));
  CUDA_CHECK(cudaMemcpy(parts, host, sizeof host, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(sum, 0, sizeof(int)));
  parent<<<blocks, 32>>>(parts, sum);
  CUDA_CHECK(cudaDeviceSynchronize());
  int total = 0;
  CUDA_CHECK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
  // The tail launch has seen what the others wrote: 8 * 100 + 8 * 200 + 2 * (0 + … + 7).
  EXPECT(total == 2456);

  void* arguments[] = {&parts};
  CUDA_CHECK(cudaLaunchCooperativeKernel((const void*)rotate, dim3(4), dim3(32), arguments));
  CUDA_CHECK(cudaMemcpy(host, parts, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(host[i] == 100 + (i + 1) % 4);
  CUDA_CHECK(cudaFree(parts));
  CUDA_CHECK(cudaFree(sum));
  runGraph();
  return verdict();
}
