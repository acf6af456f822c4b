// Graphs: nodes with what each does, and the capture of streams into them.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cuinstrument/backend/cpu/toolkit/cuda_runtime_api.h"

namespace cui::cpu {

/// What a node does when its graph runs, on the stream it runs in.
using NodeWork = std::function<cudaError_t(cudaStream_t)>;

/// A kernel node's parameters, the arguments copied.
struct KernelCall {
  cudaKernelNodeParams parameters = {};
  bool cooperative = false;
  std::vector<std::vector<unsigned char>> arguments;
};

/// Copies the arguments that the parameters point to; an error for a kernel whose signature is unknown.
cudaError_t copyKernelCall(const cudaKernelNodeParams& parameters, KernelCall& call);
NodeWork workOf(const std::shared_ptr<const KernelCall>& call);

/// An empty graph that the program may use.
cudaGraph_t newGraph();

/// Whether work in this stream is being captured. Cheap while no stream is.
bool isCapturing(cudaStream_t stream);
/// Adds a node behind what the stream has captured so far.
cudaError_t capture(cudaStream_t stream, cudaGraphNodeType type, NodeWork work);
/// Of a capturing stream: the event marks this point of it.
cudaError_t captureRecord(cudaStream_t stream, cudaEvent_t event);
/// The stream waits for a point in a capture, which it joins; false: the event marks none.
bool captureWait(cudaStream_t stream, cudaEvent_t event);

}  // namespace cui::cpu

struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  cui::cpu::NodeWork work;                             ///< empty: none
  std::shared_ptr<const cui::cpu::KernelCall> kernel;  ///< of a kernel node made by hand
  std::vector<cudaGraphNode_t> dependencies;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
};

/// A graph's nodes in an order that their dependencies allow, and what they did when it was made.
struct CUgraphExec_st {
  struct Step {
    cudaGraphNode_t node;  ///< of the graph it was made from
    cudaGraphNodeType type;
    cui::cpu::NodeWork work;
  };
  std::vector<Step> steps;
};
