// Graphs: nodes with what each does, and the capture of streams into them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cuinstrument/backend/cpu/exec_launch.h"
#include "cuinstrument/backend/cpu/toolkit/cuda_runtime_api.h"

struct CUgraph_st;

namespace cui::cpu {

/// What a node does when its graph runs, on the stream it runs in.
using NodeWork = std::function<cudaError_t(cudaStream_t)>;

/// A kernel node's parameters, the arguments copied, and the call that they come from.
struct KernelCall {
  backend::CalledLaunch place = backend::calledLaunch();
  cudaKernelNodeParams parameters = {};
  bool cooperative = false;
  dim3 cluster = {0, 0, 0};
  std::vector<std::vector<unsigned char>> arguments;
};

/// Copies the arguments that the parameters point to; an error for a kernel whose signature is unknown.
cudaError_t copyKernelCall(const cudaKernelNodeParams& parameters, KernelCall& call);
NodeWork workOf(const std::shared_ptr<const KernelCall>& call);
NodeWork workOf(const cudaMemcpy3DParms& parameters);
NodeWork workOf(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
NodeWork workOf(const cudaHostNodeParams& parameters);
NodeWork workOf(const cudaMemsetParams& parameters);
/// Whether a fill of that kind is there: of elements of 1, 2 or 4 bytes.
bool isGood(const cudaMemsetParams* parameters);

/// An empty graph that the program may use, until it is destroyed.
cudaGraph_t newGraph();
bool isGraph(cudaGraph_t graph);
cudaError_t destroyGraph(cudaGraph_t graph);

cudaError_t addNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                    std::size_t count, cudaGraphNodeType type, NodeWork work);

/// One node of a graph that runs: its work is of when the graph was instantiated.
struct Step {
  cudaGraphNode_t node;  ///< of the graph it was made from
  cudaGraphNodeType type;
  NodeWork work;
};
/// Steps in the order in which nodes were added, as far as dependencies allow; false: they form a circle.
/// `handles`: those that conditional nodes of the graph, at any depth, ask.
bool order(const CUgraph_st& graph, std::vector<Step>& steps,
           std::vector<cudaGraphConditionalHandle>& handles);
cudaError_t run(const std::vector<Step>& steps, cudaStream_t stream);

/// A conditional node: which of its graphs run, and how often, depends on the handle's value.
struct Conditional {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  std::vector<cudaGraph_t> bodies;
  Conditional(cudaGraphConditionalHandle asked, cudaGraphConditionalNodeType kind, std::size_t size);
  ~Conditional();
  Conditional(const Conditional&) = delete;
  Conditional& operator=(const Conditional&) = delete;
};
/// What a conditional node does with its graphs as they are now; false: one of them has a circle.
bool prepare(const Conditional& conditional, NodeWork& work,
             std::vector<cudaGraphConditionalHandle>& handles);
/// A graph starts: handles made with cudaGraphCondAssignDefault get their first value.
void assignDefaults(const std::vector<cudaGraphConditionalHandle>& handles);

/// A place in device memory that a graph's allocation has for as long as any graph knows it.
class ReservedMemory;
/// Of a capturing stream: nodes that allocate and free.
cudaError_t captureAllocation(cudaStream_t stream, void** pointer, std::size_t bytes);
cudaError_t captureFree(cudaStream_t stream, void* pointer);
/// Frees those that are allocated.
void freeReserved(const std::vector<std::shared_ptr<const ReservedMemory>>& places);

/// Whether work in this stream is being captured. Cheap while no stream is.
bool isCapturing(cudaStream_t stream);
/// Adds a node behind what the stream has captured so far.
cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, NodeWork work,
                    std::shared_ptr<const ReservedMemory> memory = nullptr);
/// Of a capturing stream: the event marks this point of it.
cudaError_t captureRecord(cudaStream_t stream, cudaEvent_t event);
/// The stream waits for a point in a capture, which it joins; false: the event marks none.
bool captureWait(cudaStream_t stream, cudaEvent_t event);

}  // namespace cui::cpu

struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  cui::cpu::NodeWork work;                             ///< empty: none
  std::shared_ptr<const cui::cpu::KernelCall> kernel;  ///< of a kernel node made by hand
  std::shared_ptr<const cui::cpu::Conditional> conditional;
  std::shared_ptr<const cui::cpu::ReservedMemory> memory;  ///< of a node that allocates
  std::vector<cudaGraphNode_t> dependencies;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::unique_ptr<CUgraphNode_st>> destroyed;  ///< instances know steps by their nodes' addresses
};

/// A graph's nodes in an order that their dependencies allow, and what they did when it was made.
struct CUgraphExec_st {
  std::vector<cui::cpu::Step> steps;
  std::vector<cudaGraphConditionalHandle> handles;
  /// Allocations to be freed before each run (cudaGraphInstantiateFlagAutoFreeOnLaunch).
  std::vector<std::shared_ptr<const cui::cpu::ReservedMemory>> freedOnLaunch;
};
