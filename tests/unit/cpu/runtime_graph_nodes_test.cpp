// Nodes of graphs that decide, allocate and free, and captures into graphs of the program's.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

__global__ void countDown(int* counter, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(--*counter));
}
__global__ void setFrom(const int* value, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}
__global__ void add(int* out, int value) {
  *out += value;
}

struct GraphNodes : testing::Test {
  cudaGraph_t graph = nullptr;
  int* cell = nullptr;  // [0] what decides, [1] what was done

  void SetUp() override {
    ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&cell, 2 * sizeof(int)), cudaSuccess);
    cell[0] = cell[1] = 0;
  }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    EXPECT_EQ(cudaFree(cell), cudaSuccess);
    cudaGetLastError();
  }

  template <class... Parameters>
  static cudaGraphNode_t kernel(cudaGraph_t into, std::vector<cudaGraphNode_t> after,
                                void (*function)(Parameters...), Parameters... arguments) {
    void* pointers[] = {&arguments...};
    cudaGraphNodeParams parameters = {cudaGraphNodeTypeKernel};
    parameters.kernel.func = const_cast<void*>(cui::backend::addressOfKernel(function));
    parameters.kernel.gridDim = parameters.kernel.blockDim = dim3(1);
    parameters.kernel.kernelParams = pointers;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddNode(&node, into, after.data(), nullptr, after.size(), &parameters), cudaSuccess);
    return node;
  }
  static std::vector<cudaGraph_t> conditional(cudaGraph_t into, std::vector<cudaGraphNode_t> after,
                                              cudaGraphConditionalHandle handle,
                                              cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddNode(&node, into, after.data(), nullptr, after.size(), &parameters), cudaSuccess);
    return {parameters.conditional.phGraph_out, parameters.conditional.phGraph_out + size};
  }
  cudaGraphConditionalHandle handle(unsigned first = 0, unsigned flags = 0) const {
    cudaGraphConditionalHandle made = 0;
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&made, graph, first, flags), cudaSuccess);
    return made;
  }
  /// What is in cell[1] after a run with `decides` in cell[0].
  int run(cudaGraphExec_t instance, int decides) const {
    cell[0] = decides;
    cell[1] = 0;
    EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    return cell[1];
  }
  cudaGraphExec_t instantiate(unsigned long long flags = 0) const {
    cudaGraphExec_t instance = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&instance, graph, flags), cudaSuccess);
    return instance;
  }
};

TEST_F(GraphNodes, IfElseRunsOneOfTwo) {
  const cudaGraphConditionalHandle choice = handle();
  const cudaGraphNode_t decide = kernel<const int*>(graph, {}, setFrom, cell, choice);
  const auto bodies = conditional(graph, {decide}, choice, cudaGraphCondTypeIf, 2);
  kernel(bodies[0], {}, add, cell + 1, 10);
  kernel(bodies[1], {}, add, cell + 1, 20);
  const cudaGraphExec_t instance = instantiate();
  EXPECT_EQ(run(instance, 7), 10);
  EXPECT_EQ(run(instance, 0), 20);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

TEST_F(GraphNodes, DestroyedNodesAreInNoLaterInstance) {
  const cudaGraphNode_t first = kernel(graph, {}, add, cell + 1, 1);
  const cudaGraphNode_t second = kernel(graph, {first}, add, cell + 1, 10);
  kernel(graph, {second}, add, cell + 1, 100);
  const cudaGraphExec_t before = instantiate();
  EXPECT_EQ(cudaGraphDestroyNode(second), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroyNode(second), cudaErrorInvalidValue);
  std::size_t roots = 0;
  EXPECT_EQ(cudaGraphGetRootNodes(graph, nullptr, &roots), cudaSuccess);
  EXPECT_EQ(roots, 2u);
  const cudaGraphExec_t after = instantiate();
  EXPECT_EQ(run(before, 0), 111);
  EXPECT_EQ(run(after, 0), 101);
  EXPECT_EQ(cudaGraphExecDestroy(before), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(after), cudaSuccess);
}

TEST_F(GraphNodes, WhileStartsAnewWithItsDefault) {
  const cudaGraphConditionalHandle again = handle(1, cudaGraphCondAssignDefault);
  const auto bodies = conditional(graph, {}, again, cudaGraphCondTypeWhile, 1);
  const cudaGraphNode_t counted = kernel(bodies[0], {}, add, cell + 1, 1);
  kernel(bodies[0], {counted}, countDown, cell, again);
  const cudaGraphExec_t instance = instantiate();
  EXPECT_EQ(run(instance, 5), 5);
  EXPECT_EQ(run(instance, 3), 3);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

TEST_F(GraphNodes, SwitchRunsTheOneWithTheNumberAndConditionsNest) {
  const cudaGraphConditionalHandle outer = handle(), inner = handle(1, cudaGraphCondAssignDefault);
  const cudaGraphNode_t decide = kernel<const int*>(graph, {}, setFrom, cell, outer);
  const auto cases = conditional(graph, {decide}, outer, cudaGraphCondTypeSwitch, 3);
  for (int i = 0; i < 3; ++i) kernel(cases[static_cast<std::size_t>(i)], {}, add, cell + 1, 1 << i);
  const auto bodies = conditional(cases[2], {}, inner, cudaGraphCondTypeIf, 1);
  kernel(bodies[0], {}, add, cell + 1, 100);
  const cudaGraphExec_t instance = instantiate();
  EXPECT_EQ(run(instance, 0), 1);
  EXPECT_EQ(run(instance, 1), 2);
  EXPECT_EQ(run(instance, 2), 104);
  EXPECT_EQ(run(instance, 3), 0);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

TEST_F(GraphNodes, WrongConditionsAreRefused) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  cudaGraphNode_t node = nullptr;
  parameters.conditional = {handle() + 1, cudaGraphCondTypeIf, 1, nullptr};
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters), cudaErrorInvalidValue);
  parameters.conditional = {handle(), cudaGraphCondTypeWhile, 2, nullptr};
  EXPECT_EQ(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters), cudaErrorInvalidValue);
}

TEST_F(GraphNodes, BodiesAreFilledByCaptureToo) {
  const cudaGraphConditionalHandle choice = handle(1, cudaGraphCondAssignDefault);
  const auto bodies = conditional(graph, {}, choice, cudaGraphCondTypeIf, 1);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(
      cudaStreamBeginCaptureToGraph(stream, bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal),
      cudaSuccess);
  int* done = cell + 1;
  int value = 4;
  void* arguments[] = {&done, &value};
  EXPECT_EQ(cudaLaunchKernel(add, dim3(1), dim3(1), arguments, 0, stream), cudaSuccess);
  cudaStreamCaptureStatus status;
  cudaGraph_t into = nullptr;
  const cudaGraphNode_t* ends = nullptr;
  std::size_t count = 0;
  EXPECT_EQ(cudaStreamGetCaptureInfo(stream, &status, nullptr, &into, &ends, nullptr, &count), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(into, bodies[0]);
  ASSERT_EQ(count, 1u);
  // A node added by hand takes its place in the capture.
  cudaGraphNode_t own = kernel(bodies[0], {ends[0]}, add, done, 5);
  EXPECT_EQ(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamSetCaptureDependencies),
            cudaSuccess);
  EXPECT_EQ(cudaLaunchKernel(add, dim3(1), dim3(1), arguments, 0, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, nullptr), cudaSuccess);
  const cudaGraphExec_t instance = instantiate();
  EXPECT_EQ(run(instance, 0), 13);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

unsigned long long graphMemory(cudaGraphMemAttributeType which) {
  unsigned long long bytes = 0;
  EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, which, &bytes), cudaSuccess);
  return bytes;
}

TEST_F(GraphNodes, MemoryIsThereFromOneNodeToTheOther) {
  cudaMemAllocNodeParams parameters = {};
  parameters.bytesize = sizeof(int);
  cudaGraphNode_t allocate = nullptr, release = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &parameters), cudaSuccess);
  int* memory = static_cast<int*>(parameters.dptr);
  cudaGraphNode_t set = nullptr, copy = nullptr;
  const cudaMemsetParams zero = {memory, 0, 0, 4, 1, 1};
  ASSERT_EQ(cudaGraphAddMemsetNode(&set, graph, &allocate, 1, &zero), cudaSuccess);
  const cudaGraphNode_t added = kernel(graph, {set}, add, memory, 3);
  ASSERT_EQ(
      cudaGraphAddMemcpyNode1D(&copy, graph, &added, 1, cell + 1, memory, sizeof(int), cudaMemcpyDefault),
      cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemFreeNode(&release, graph, &copy, 1, memory), cudaSuccess);
  EXPECT_EQ(cudaMemset(memory, 0, 4), cudaErrorInvalidValue);  // not there yet
  const cudaGraphExec_t instance = instantiate();
  EXPECT_EQ(run(instance, 0), 3);
  EXPECT_EQ(run(instance, 0), 3);
  EXPECT_EQ(cudaMemset(memory, 0, 4), cudaErrorInvalidValue);  // not there any more
  EXPECT_EQ(graphMemory(cudaGraphMemAttrUsedMemCurrent), 0u);
  EXPECT_EQ(graphMemory(cudaGraphMemAttrUsedMemHigh), 4u);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
}

TEST_F(GraphNodes, MemoryThatIsNotFreedStaysAndCanBeFreedOutside) {
  cudaMemAllocNodeParams parameters = {};
  parameters.bytesize = 64;
  cudaGraphNode_t allocate = nullptr;
  ASSERT_EQ(cudaGraphAddMemAllocNode(&allocate, graph, nullptr, 0, &parameters), cudaSuccess);
  const cudaGraphExec_t once = instantiate(), again = instantiate(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  EXPECT_EQ(cudaGraphLaunch(once, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemset(parameters.dptr, 1, 64), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(once, nullptr), cudaErrorInvalidValue);  // it is still there
  EXPECT_EQ(cudaGraphLaunch(again, nullptr), cudaSuccess);
  EXPECT_EQ(graphMemory(cudaGraphMemAttrReservedMemCurrent), 64u);
  EXPECT_EQ(cudaFree(parameters.dptr), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(once, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(parameters.dptr, nullptr), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(once), cudaSuccess);
  EXPECT_EQ(cudaGraphExecDestroy(again), cudaSuccess);
}

TEST_F(GraphNodes, AllocationsAreCaptured) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  int* memory = nullptr;
  ASSERT_EQ(cudaMallocAsync(reinterpret_cast<void**>(&memory), sizeof(int), stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 0, sizeof(int), stream), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(cell + 1, memory, sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &captured), cudaSuccess);
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetNodes(captured, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 4u);
  cell[1] = 9;
  cudaGraphExec_t instance = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&instance, captured, 0), cudaSuccess);
  EXPECT_EQ(cell[1], 9);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  EXPECT_EQ(cell[1], 0);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST_F(GraphNodes, EdgesAndTheirPicture) {
  cudaGraphNode_t a = nullptr, b = nullptr, c = nullptr;
  ASSERT_EQ(cudaGraphAddEmptyNode(&a, graph, nullptr, 0), cudaSuccess);
  ASSERT_EQ(cudaGraphAddEmptyNode(&b, graph, &a, 1), cudaSuccess);
  const cudaGraphNode_t both[] = {a, b};
  ASSERT_EQ(cudaGraphAddEmptyNode(&c, graph, both, 2), cudaSuccess);
  std::size_t count = 0;
  EXPECT_EQ(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count), cudaSuccess);
  ASSERT_EQ(count, 3u);
  cudaGraphNode_t from[4], to[4];
  count = 4;
  EXPECT_EQ(cudaGraphGetEdges(graph, from, to, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 3u);
  const cudaGraphNode_t expectedFrom[] = {a, a, b, nullptr}, expectedTo[] = {b, c, c, nullptr};
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(from[i], expectedFrom[i]);
    EXPECT_EQ(to[i], expectedTo[i]);
  }
  EXPECT_EQ(cudaGraphGetEdges(graph, from, nullptr, nullptr, &count), cudaErrorInvalidValue);

  const std::string path = ::testing::TempDir() + "cuinstrument_graph.dot";
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, path.c_str(), cudaGraphDebugDotFlagsVerbose), cudaSuccess);
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::remove(path.c_str());
  EXPECT_EQ(text,
            "digraph dot {\n\"node_0\" [shape=\"box\" label=\"0\\nEMPTY\"];\n"
            "\"node_1\" [shape=\"box\" label=\"1\\nEMPTY\"];\n\"node_0\" -> \"node_1\";\n"
            "\"node_2\" [shape=\"box\" label=\"2\\nEMPTY\"];\n\"node_0\" -> \"node_2\";\n"
            "\"node_1\" -> \"node_2\";\n}\n");
  EXPECT_EQ(cudaGraphDebugDotPrint(graph, "/no/such/folder/x", 0), cudaErrorOperatingSystem);
  EXPECT_EQ(cudaGetLastError(), cudaErrorOperatingSystem);
}

}  // namespace
