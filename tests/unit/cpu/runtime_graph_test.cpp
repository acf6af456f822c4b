// Graphs and capture: the order of nodes, what a graph keeps of its parameters, and errors.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

struct Step {
  std::string* log;
  char name;
};
void note(void* step) {
  static_cast<Step*>(step)->log->push_back(static_cast<Step*>(step)->name);
}

struct Graph : testing::Test {
  cudaGraph_t graph = nullptr;
  std::string log;
  std::vector<Step> steps = {{&log, 'a'}, {&log, 'b'}, {&log, 'c'}};

  void SetUp() override { ASSERT_EQ(cudaGraphCreate(&graph, 0), cudaSuccess); }
  void TearDown() override {
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    cudaGetLastError();
  }

  cudaGraphNode_t host(std::size_t step, std::vector<cudaGraphNode_t> dependencies = {}) {
    const cudaHostNodeParams parameters = {note, &steps[step]};
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaGraphAddHostNode(&node, graph, dependencies.data(), dependencies.size(), &parameters),
              cudaSuccess);
    return node;
  }
  std::string run() {
    log.clear();
    cudaGraphExec_t instance = nullptr;
    EXPECT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
    EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
    return log;
  }
};

TEST_F(Graph, DependenciesDecideTheOrder) {
  const cudaGraphNode_t a = host(0), b = host(1), c = host(2, {a});
  EXPECT_EQ(run(), "abc");
  ASSERT_EQ(cudaGraphAddDependencies(graph, &c, &b, 1), cudaSuccess);
  EXPECT_EQ(run(), "acb");
  std::size_t count = 0;
  ASSERT_EQ(cudaGraphGetRootNodes(graph, nullptr, &count), cudaSuccess);
  EXPECT_EQ(count, 1u);
  // A circle cannot be run.
  ASSERT_EQ(cudaGraphAddDependencies(graph, &b, &a, 1), cudaSuccess);
  cudaGraphExec_t instance = nullptr;
  EXPECT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaErrorInvalidValue);
}

TEST_F(Graph, ChildrenAndClonesAreCopies) {
  host(0);
  cudaGraph_t parent = nullptr, clone = nullptr;
  ASSERT_EQ(cudaGraphClone(&clone, graph), cudaSuccess);
  ASSERT_EQ(cudaGraphCreate(&parent, 0), cudaSuccess);
  cudaGraphNode_t child = nullptr;
  ASSERT_EQ(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph), cudaSuccess);
  host(1);  // too late for both
  EXPECT_EQ(run(), "ab");
  for (cudaGraph_t one : {parent, clone}) {
    std::swap(one, graph);
    EXPECT_EQ(run(), "a");
    std::swap(one, graph);
    EXPECT_EQ(cudaGraphDestroy(one), cudaSuccess);
  }
}

TEST_F(Graph, AnInstanceIsUpdatedWhereShapesAgree) {
  const cudaGraphNode_t a = host(0);
  cudaGraphExec_t instance = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
  const cudaHostNodeParams other = {note, &steps[2]};
  EXPECT_EQ(cudaGraphExecHostNodeSetParams(instance, a, &other), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
  EXPECT_EQ(log, "c");
  cudaGraphNodeParams any = {};
  any.type = cudaGraphNodeTypeHost;
  any.host = {note, &steps[1]};
  EXPECT_EQ(cudaGraphExecNodeSetParams(instance, a, &any), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
  EXPECT_EQ(log, "cb");
  any.type = cudaGraphNodeTypeMemset;
  EXPECT_EQ(cudaGraphExecNodeSetParams(instance, a, &any), cudaErrorInvalidValue);
  log = "c";
  cudaGraphExecUpdateResultInfo info = {};
  EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &info), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaSuccess);
  EXPECT_EQ(log, "ca");
  host(1);
  EXPECT_EQ(cudaGraphExecUpdate(instance, graph, &info), cudaErrorGraphExecUpdateFailure);
  EXPECT_EQ(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  EXPECT_EQ(cudaGraphLaunch(instance, nullptr), cudaErrorInvalidValue);
}

TEST_F(Graph, MemoryNodes) {
  int* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 16), cudaSuccess);
  cudaMemsetParams fill = {};
  fill.dst = device;
  fill.elementSize = 4;
  fill.value = 0x01020304;
  fill.width = 4;
  fill.height = 1;
  int host[4] = {};
  cudaGraphNode_t set = nullptr, copy = nullptr;
  ASSERT_EQ(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill), cudaSuccess);
  ASSERT_EQ(cudaGraphAddMemcpyNode1D(&copy, graph, &set, 1, host, device, 16, cudaMemcpyDeviceToHost),
            cudaSuccess);
  run();
  for (const int value : host) EXPECT_EQ(value, 0x01020304);
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaGraphNodeGetType(copy, &type), cudaSuccess);
  EXPECT_EQ(type, cudaGraphNodeTypeMemcpy);
  fill.elementSize = 3;
  EXPECT_EQ(cudaGraphAddMemsetNode(&set, graph, nullptr, 0, &fill), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST(Capture, KeepsWorkForLater) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int* device = nullptr;
  ASSERT_EQ(cudaMalloc(&device, 4), cudaSuccess);
  ASSERT_EQ(cudaMemset(device, 0, 4), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  cudaStreamCaptureStatus status{};
  EXPECT_EQ(cudaStreamIsCapturing(stream, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  EXPECT_EQ(cudaMemsetAsync(device, 1, 4, stream), cudaSuccess);
  EXPECT_EQ(*device, 0);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  cudaGraphExec_t instance = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&instance, graph, 0), cudaSuccess);
  EXPECT_EQ(*device, 0);
  EXPECT_EQ(cudaGraphLaunch(instance, stream), cudaSuccess);
  EXPECT_EQ(*device, 0x01010101);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaGraphExecDestroy(instance), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(device), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  cudaGetLastError();
}

TEST(Capture, OnlyItsOriginEndsIt) {
  cudaStream_t origin = nullptr, other = nullptr;
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaStreamCreate(&origin), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed), cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, origin), cudaSuccess);
  ASSERT_EQ(cudaStreamWaitEvent(other, event, 0), cudaSuccess);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(other, &graph), cudaErrorStreamCaptureUnmatched);
  EXPECT_EQ(cudaStreamEndCapture(origin, &graph), cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  EXPECT_EQ(cudaStreamIsCapturing(other, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(origin), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  cudaGetLastError();
}

__global__ void store(int* out, int value) {
  out[threadIdx.x] = value;
}

TEST(LaunchByAddress, NeedsAKernelThatWasNamed) {
  int* out = nullptr;
  ASSERT_EQ(cudaMalloc(&out, 8), cudaSuccess);
  int value = 5;
  void* arguments[] = {&out, &value};
  // The typed form describes the kernel, so that afterwards its address will do.
  const void* address = reinterpret_cast<const void*>(&store);
  EXPECT_EQ(cudaLaunchKernel(address, dim3(1), dim3(2), arguments, 0, nullptr), cudaErrorNotSupported);
  EXPECT_EQ(cudaLaunchKernel(store, dim3(1), dim3(2), arguments, 0, nullptr), cudaSuccess);
  value = 6;
  EXPECT_EQ(cudaLaunchKernel(address, dim3(1), dim3(1), arguments, 0, nullptr), cudaSuccess);
  EXPECT_EQ(out[0], 6);
  EXPECT_EQ(out[1], 5);
  EXPECT_EQ(cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), arguments, 0, nullptr),
            cudaErrorInvalidDeviceFunction);
  EXPECT_EQ(cudaFree(out), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
