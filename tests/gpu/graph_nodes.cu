// Graphs whose kernel nodes are made by hand: run several times, instantiated twice, cloned, in a child graph and in
// a condition's body, and given other parameters before and after the graph is instantiated. Each run waits for the
// device. graph_nodes.py finds the calls by the marks behind them. Exits 1 with a line if a result is wrong. CUDA 13.
// With a number: runs a graph so often, waiting each time, and says how long each took.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t error = (call);                                                      \
    if (error == cudaSuccess) break;                                                       \
    std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error));          \
    std::exit(1);                                                                          \
  } while (0)

constexpr int threads = 64, most = 4 * threads;

__device__ __forceinline__ void addTo(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] += value;
}
template <class T>
__global__ void repeated(T* out, T value) {
  addTo(out, value);
}
__global__ void twice(int* out, int value) {
  addTo(out, value);
}
__global__ void cloned(int* out, int value) {
  addTo(out, value);
}
namespace {
__global__ void inChild(int* out, int value) {
  addTo(out, value);
}
}  // namespace
static __global__ void setBefore(int* out, int value) {
  addTo(out, value);
}
__global__ void setLater(int* out, int value) {
  addTo(out, value);
}
__global__ void otherArguments(int* out, int value) {
  addTo(out, value);
}
__global__ void never(int* out, int value) {
  addTo(out, value);
}
__global__ void captured(int* out, int value) {
  addTo(out, value);
}
__global__ void countDown(int* counter, cudaGraphConditionalHandle again) {
  cudaGraphSetConditional(again, --*counter);
}

/// The memory of all kernels, and their arguments.
struct Arguments {
  int* out = nullptr;
  int value = 0;
  void* pointers[2] = {&out, &value};

  cudaKernelNodeParams of(void* kernel, int blocks, unsigned int sharedBytes = 0) {
    cudaKernelNodeParams parameters = {};
    parameters.func = kernel;
    parameters.gridDim = dim3(blocks);
    parameters.blockDim = dim3(threads);
    parameters.sharedMemBytes = sharedBytes;
    parameters.kernelParams = pointers;
    return parameters;
  }
  cudaGraphNodeParams anyOf(void* kernel, int blocks) {
    cudaGraphNodeParams parameters = {};
    parameters.type = cudaGraphNodeTypeKernel;
    parameters.kernel.func = kernel;
    parameters.kernel.gridDim = dim3(blocks);
    parameters.kernel.blockDim = dim3(threads);
    parameters.kernel.kernelParams = pointers;
    return parameters;
  }
};

struct Graph {
  cudaGraph_t graph = nullptr;
  Graph() { CHECK(cudaGraphCreate(&graph, 0)); }
  ~Graph() { CHECK(cudaGraphDestroy(graph)); }
};
/// Instantiated, run and waited for, `times` times.
struct Instance {
  cudaGraphExec_t instance = nullptr;
  explicit Instance(cudaGraph_t graph) { CHECK(cudaGraphInstantiate(&instance, graph, 0)); }
  ~Instance() { CHECK(cudaGraphExecDestroy(instance)); }
  void run(int times = 1) const {
    for (int i = 0; i < times; ++i) {
      CHECK(cudaGraphLaunch(instance, nullptr));
      CHECK(cudaDeviceSynchronize());
    }
  }
};

/// Zeroes, of which `blocks` blocks must have become `value` at the end.
struct Memory : Arguments {
  const char* what;
  explicit Memory(const char* name) : what(name) {
    CHECK(cudaMalloc(&out, most * sizeof(int)));
    CHECK(cudaMemset(out, 0, most * sizeof(int)));
  }
  void expect(const std::vector<int>& byBlock) {
    int host[most];
    CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < most; ++i) {
      const std::size_t block = i / threads;
      const int expected = block < byBlock.size() ? byBlock[block] : 0;
      if (host[i] == expected) continue;
      std::printf("%s: %d instead of %d at %d\n", what, host[i], expected, i);
      std::exit(1);
    }
    CHECK(cudaFree(out));
  }
};

static void runRepeated() {
  Memory memory("repeated");
  memory.value = 3;
  cudaGraphNode_t node;
  const Graph one;
  const cudaKernelNodeParams parameters = memory.of((void*)repeated<int>, 2, 256);
  CHECK(cudaGraphAddKernelNode(&node, one.graph, nullptr, 0, &parameters));  // at: repeated
  Instance(one.graph).run(3);
  memory.expect({9, 9});
}

// Two nodes alike, in two instances, one of which runs once and the other twice.
static void runTwice() {
  Memory memory("twice");
  memory.value = 1;
  cudaGraphNode_t first, second;
  const Graph one;
  const cudaKernelNodeParams parameters = memory.of((void*)twice, 1);
  CHECK(cudaGraphAddKernelNode(&first, one.graph, nullptr, 0, &parameters));  // at: twice, first
  CHECK(cudaGraphAddKernelNode(&second, one.graph, &first, 1, &parameters));  // at: twice, second
  const Instance a(one.graph), b(one.graph);
  a.run();
  b.run(2);
  memory.expect({6});
}

static void runCloned() {
  Memory memory("cloned");
  memory.value = 2;
  cudaGraphNode_t node;
  const Graph one;
  cudaGraphNodeParams parameters = memory.anyOf((void*)cloned, 2);
  CHECK(cudaGraphAddNode(&node, one.graph, nullptr, nullptr, 0, &parameters));  // at: cloned
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, one.graph));
  Instance(one.graph).run();
  Instance(clone).run();
  CHECK(cudaGraphDestroy(clone));
  memory.expect({4, 4});
}

static void runChild() {
  Memory memory("inChild");
  memory.value = 5;
  cudaGraphNode_t node, one, other;
  const Graph child, parent;
  const cudaKernelNodeParams parameters = memory.of((void*)inChild, 1);
  CHECK(cudaGraphAddKernelNode(&node, child.graph, nullptr, 0, &parameters));  // at: inChild
  CHECK(cudaGraphAddChildGraphNode(&one, parent.graph, nullptr, 0, child.graph));
  CHECK(cudaGraphAddChildGraphNode(&other, parent.graph, &one, 1, child.graph));
  Instance(parent.graph).run(2);
  memory.expect({20});
}

static void runSetBefore() {
  Memory memory("setBefore");
  memory.value = 1;
  cudaGraphNode_t node;
  const Graph one;
  cudaKernelNodeParams parameters = memory.of((void*)setBefore, 1);
  CHECK(cudaGraphAddKernelNode(&node, one.graph, nullptr, 0, &parameters));
  parameters.gridDim = dim3(3);
  CHECK(cudaGraphKernelNodeSetParams(node, &parameters));  // at: setBefore
  Instance(one.graph).run(2);
  memory.expect({2, 2, 2});
}

// Other extents in the instance after its first two runs, and once more.
static void runSetLater() {
  Memory memory("setLater");
  memory.value = 1;
  cudaGraphNode_t node;
  const Graph one;
  cudaKernelNodeParams parameters = memory.of((void*)setLater, 1);
  CHECK(cudaGraphAddKernelNode(&node, one.graph, nullptr, 0, &parameters));  // at: setLater, 1
  const Instance instance(one.graph);
  instance.run(2);
  parameters.gridDim = dim3(4);
  CHECK(cudaGraphExecKernelNodeSetParams(instance.instance, node, &parameters));  // at: setLater, 4
  instance.run(3);
  parameters.gridDim = dim3(2);
  CHECK(cudaGraphExecKernelNodeSetParams(instance.instance, node, &parameters));  // at: setLater, 2
  instance.run();
  memory.expect({6, 4, 3, 3});
}

static void runOtherArguments() {
  Memory memory("otherArguments");
  memory.value = 1;
  cudaGraphNode_t node;
  const Graph one;
  cudaGraphNodeParams parameters = memory.anyOf((void*)otherArguments, 1);
  CHECK(cudaGraphAddNode(&node, one.graph, nullptr, nullptr, 0, &parameters));  // at: otherArguments
  const Instance instance(one.graph);
  instance.run();
  memory.value = 10;
  CHECK(cudaGraphExecNodeSetParams(instance.instance, node, &parameters));  // at: otherArguments, CPU
  instance.run();
  memory.expect({11});
}

static void runNever() {
  Memory memory("never");
  cudaGraphNode_t node;
  const Graph one;
  const cudaKernelNodeParams parameters = memory.of((void*)never, 1);
  CHECK(cudaGraphAddKernelNode(&node, one.graph, nullptr, 0, &parameters));
  const Instance instance(one.graph);
  memory.expect({});
}

static void runCaptured() {
  Memory memory("captured");
  cudaStream_t stream;
  cudaGraph_t graph;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  captured<<<1, threads, 0, stream>>>(memory.out, 4);  // at: captured
  CHECK(cudaStreamEndCapture(stream, &graph));
  const Instance a(graph), b(graph);
  a.run(2);
  b.run();
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
  memory.expect({12});
}

// The body runs with 3, 2 and 1 in the counter.
static void runCountDown() {
  const int three = 3;
  int* counter = nullptr;
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMemcpy(counter, &three, sizeof(int), cudaMemcpyHostToDevice));
  const Graph one;
  cudaGraphConditionalHandle again;
  CHECK(cudaGraphConditionalHandleCreate(&again, one.graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNode_t loop, body;
  cudaGraphNodeParams condition = {};
  condition.type = cudaGraphNodeTypeConditional;
  condition.conditional.handle = again;
  condition.conditional.type = cudaGraphCondTypeWhile;
  condition.conditional.size = 1;
  CHECK(cudaGraphAddNode(&loop, one.graph, nullptr, nullptr, 0, &condition));
  void* arguments[] = {&counter, &again};
  cudaGraphNodeParams kernel = {};
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel.func = (void*)countDown;
  kernel.kernel.gridDim = kernel.kernel.blockDim = dim3(1);
  kernel.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&body, condition.conditional.phGraph_out[0], nullptr, nullptr, 0, &kernel));  // at: countDown
  Instance(one.graph).run();
  int left = -1;
  CHECK(cudaMemcpy(&left, counter, sizeof(int), cudaMemcpyDeviceToHost));
  if (left != 0) {
    std::printf("countDown: %d is left\n", left);
    std::exit(1);
  }
  CHECK(cudaFree(counter));
}

static void measure(int times) {
  Memory memory("measured");
  memory.value = 1;
  cudaGraphNode_t node;
  const Graph one;
  const cudaKernelNodeParams parameters = memory.of((void*)repeated<int>, 1);
  CHECK(cudaGraphAddKernelNode(&node, one.graph, nullptr, 0, &parameters));
  const Instance instance(one.graph);
  instance.run();
  const auto begin = std::chrono::steady_clock::now();
  instance.run(times);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  memory.expect({times + 1});
  std::printf("%d runs, %.1f us each\n", times, took.count() / times);
}

int main(int argc, char** argv) {
  if (argc == 2) return measure(std::atoi(argv[1])), 0;
  // The errors of calls that fail are theirs alone.
  cudaGraphNode_t node;
  const cudaKernelNodeParams nothing = {};
  const cudaError_t refused = cudaGraphAddKernelNode(&node, nullptr, nullptr, 0, &nothing);
  if (refused == cudaSuccess || cudaGetLastError() != refused || cudaGetLastError() != cudaSuccess) {
    std::printf("a node of no graph: %s\n", cudaGetErrorString(refused));
    return 1;
  }
  runRepeated();
  runTwice();
  runCloned();
  runChild();
  runSetBefore();
  runSetLater();
  runOtherArguments();
  runNever();
  runCaptured();
  runCountDown();
  if (cudaGetLastError() != cudaSuccess) return std::printf("an error is left\n"), 1;
  std::printf("graph nodes: right\n");
  return 0;
}
