// Graphs: made by hand, destroyed, cloned. What a node does is in graph_work.cpp, what runs in
// graph_instance.cpp.
#include "graph.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "runtime.h"

namespace cui::cpu {
namespace {

struct LiveGraphs {
  std::mutex mutex;
  std::set<CUgraph_st*> graphs;
};
LiveGraphs& liveGraphs() {
  static auto* instance = new LiveGraphs;  // outlives static destructors that destroy graphs
  return *instance;
}
bool contains(const CUgraph_st& graph, cudaGraphNode_t node) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& n) { return n.get() == node; });
}

/// The graph that a node is in; null if it is in none.
cudaGraph_t graphOf(cudaGraphNode_t node) {
  std::lock_guard<std::mutex> lock(liveGraphs().mutex);
  for (CUgraph_st* graph : liveGraphs().graphs)
    if (contains(*graph, node)) return graph;
  return nullptr;
}

}  // namespace

bool isGraph(cudaGraph_t graph) {
  std::lock_guard<std::mutex> lock(liveGraphs().mutex);
  return liveGraphs().graphs.count(graph) == 1;
}

cudaError_t addNode(cudaGraphNode_t* result, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                    std::size_t count, cudaGraphNodeType type, NodeWork work) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || !isGraph(graph) || (dependencies == nullptr && count > 0))
    return leave(cudaErrorInvalidValue);
  auto node = std::make_unique<CUgraphNode_st>();
  node->type = type;
  node->work = std::move(work);
  for (std::size_t i = 0; i < count; ++i) {
    if (!contains(*graph, dependencies[i])) return leave(cudaErrorInvalidValue);
    node->dependencies.push_back(dependencies[i]);
  }
  *result = node.get();
  graph->nodes.push_back(std::move(node));
  return cudaSuccess;
}

bool order(const CUgraph_st& graph, std::vector<Step>& steps,
           std::vector<cudaGraphConditionalHandle>& handles) {
  std::set<cudaGraphNode_t> done;
  while (done.size() < graph.nodes.size()) {
    const std::size_t before = done.size();
    for (const auto& node : graph.nodes) {
      const auto isDone = [&](cudaGraphNode_t one) { return done.count(one) == 1; };
      if (isDone(node.get()) || !std::all_of(node->dependencies.begin(), node->dependencies.end(), isDone))
        continue;
      done.insert(node.get());
      steps.push_back({node.get(), node->type, node->work});
      if (node->conditional != nullptr && !prepare(*node->conditional, steps.back().work, handles))
        return false;
    }
    if (done.size() == before) return false;
  }
  return true;
}

cudaError_t run(const std::vector<Step>& steps, cudaStream_t stream) {
  for (const Step& step : steps)
    if (step.work)
      if (const cudaError_t error = step.work(stream)) return error;
  return cudaSuccess;
}

cudaGraph_t newGraph() {
  auto graph = std::make_unique<CUgraph_st>();
  std::lock_guard<std::mutex> lock(liveGraphs().mutex);
  liveGraphs().graphs.insert(graph.get());
  return graph.release();
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (graph == nullptr || flags != 0) return leave(cudaErrorInvalidValue);
  *graph = newGraph();
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (const cudaError_t error = enter()) return leave(error);
  return destroyGraph(graph);
}

cudaError_t cui::cpu::destroyGraph(cudaGraph_t graph) {
  {
    std::lock_guard<std::mutex> lock(liveGraphs().mutex);
    if (liveGraphs().graphs.erase(graph) == 0) return leave(cudaErrorInvalidValue);
  }
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr) return leave(cudaErrorInvalidValue);
  auto call = std::make_shared<KernelCall>();
  if (const cudaError_t error = copyKernelCall(*parameters, *call)) return error;
  const cudaError_t error = addNode(node, graph, dependencies, count, cudaGraphNodeTypeKernel, workOf(call));
  if (error == cudaSuccess) (*node)->kernel = call;
  return error;
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return leave(cudaErrorInvalidValue);
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, workOf(*parameters));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* dependencies, size_t count, void* to,
                                     const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeMemcpy, workOf(to, from, bytes, kind));
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* dependencies, size_t count,
                                   const cudaMemsetParams* parameters) {
  if (!isGood(parameters)) return leave(cudaErrorInvalidValue);
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeMemset, workOf(*parameters));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* dependencies, size_t count,
                                 const cudaHostNodeParams* parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return leave(cudaErrorInvalidValue);
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeHost, workOf(*parameters));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* dependencies, size_t count) {
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeEmpty, {});
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* dependencies, size_t count,
                                        cudaEvent_t event) {
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeEventRecord,
                 [event](cudaStream_t stream) { return cudaEventRecord(event, stream); });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, size_t count, cudaEvent_t event) {
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeWaitEvent,
                 [event](cudaStream_t stream) { return cudaStreamWaitEvent(stream, event, 0); });
}
/// The child is copied: what becomes of it later does not matter.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, size_t count, cudaGraph_t child) {
  std::vector<Step> steps;
  std::vector<cudaGraphConditionalHandle> handles;
  // As in CUDA, conditional nodes may not be in a child.
  if (!isGraph(child) || !order(*child, steps, handles) || !handles.empty())
    return leave(cudaErrorInvalidValue);
  return addNode(node, graph, dependencies, count, cudaGraphNodeTypeGraph,
                 [steps](cudaStream_t stream) { return run(steps, stream); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isGraph(graph) || (count > 0 && (from == nullptr || to == nullptr)))
    return leave(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i)
    if (!contains(*graph, from[i]) || !contains(*graph, to[i]) || from[i] == to[i])
      return leave(cudaErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) to[i]->dependencies.push_back(from[i]);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (const cudaError_t error = enter()) return leave(error);
  const cudaGraph_t graph = graphOf(node);
  if (graph == nullptr) return leave(cudaErrorInvalidValue);
  // CUDA takes no edges from graphs with such nodes.
  if (node->type == cudaGraphNodeTypeMemAlloc || node->type == cudaGraphNodeTypeMemFree)
    return leave(cudaErrorNotSupported);
  for (const auto& other : graph->nodes) {
    auto& before = other->dependencies;
    before.erase(std::remove(before.begin(), before.end(), node), before.end());
  }
  const auto place = std::find_if(graph->nodes.begin(), graph->nodes.end(),
                                  [&](const auto& one) { return one.get() == node; });
  graph->destroyed.push_back(std::move(*place));
  graph->nodes.erase(place);
  return cudaSuccess;
}

namespace {
/// Nodes for which `wanted` holds: their number if `nodes` is null, else as many as `count` says.
template <class Wanted>
cudaError_t list(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, const Wanted& wanted) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isGraph(graph) || count == nullptr) return leave(cudaErrorInvalidValue);
  size_t found = 0;
  for (const auto& node : graph->nodes)
    if (wanted(*node)) {
      if (nodes != nullptr && found < *count) nodes[found] = node.get();
      ++found;
    }
  if (nodes != nullptr)
    for (size_t i = found; i < *count; ++i) nodes[i] = nullptr;
  *count = found;
  return cudaSuccess;
}
}  // namespace

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list(graph, nodes, count, [](const CUgraphNode_st&) { return true; });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return list(graph, nodes, count, [](const CUgraphNode_st& node) { return node.dependencies.empty(); });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType* type) {
  if (const cudaError_t error = enter()) return leave(error);
  if (node == nullptr || type == nullptr) return leave(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  if (const cudaError_t error = enter()) return leave(error);
  if (node == nullptr || node->kernel == nullptr || parameters == nullptr)
    return leave(cudaErrorInvalidValue);
  *parameters = node->kernel->parameters;
  return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  if (const cudaError_t error = enter()) return leave(error);
  if (node == nullptr || node->type != cudaGraphNodeTypeKernel || parameters == nullptr)
    return leave(cudaErrorInvalidValue);
  auto call = std::make_shared<KernelCall>();
  if (const cudaError_t error = copyKernelCall(*parameters, *call)) return error;
  node->kernel = call;
  node->work = workOf(call);
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* result, cudaGraph_t original) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || !isGraph(original)) return leave(cudaErrorInvalidValue);
  cudaGraph_t copy = newGraph();
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : original->nodes) {
    copy->nodes.push_back(std::make_unique<CUgraphNode_st>(*node));
    copies[node.get()] = copy->nodes.back().get();
  }
  for (const auto& node : copy->nodes)
    for (cudaGraphNode_t& dependency : node->dependencies) dependency = copies[dependency];
  *result = copy;
  return cudaSuccess;
}
