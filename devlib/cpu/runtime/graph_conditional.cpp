// Conditional nodes of graphs and their handles, and nodes of any type by one function.
#include <atomic>
#include <deque>
#include <mutex>

#include "cuinstrument/backend/cpu/exec_log.h"
#include "graph.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

struct ConditionalHandle {
  unsigned first;   ///< value to start with …
  bool isAssigned;  ///< … at each launch of the graph
  std::atomic<unsigned> value;
};
struct Handles {
  std::mutex mutex;
  std::deque<ConditionalHandle> all;  ///< a handle is a place in here, from 1
};
Handles& handles() {
  static auto* instance = new Handles;  // outlives static destructors
  return *instance;
}
/// Null for what cudaGraphConditionalHandleCreate has not given out.
ConditionalHandle* find(cudaGraphConditionalHandle handle) {
  std::lock_guard<std::mutex> lock(handles().mutex);
  return handle == 0 || handle > handles().all.size() ? nullptr : &handles().all[handle - 1];
}

bool isGood(const cudaConditionalNodeParams& p) {
  if (find(p.handle) == nullptr || p.size == 0) return false;
  return p.type == cudaGraphCondTypeSwitch || (p.type == cudaGraphCondTypeWhile && p.size == 1) ||
         (p.type == cudaGraphCondTypeIf && p.size <= 2);
}

}  // namespace

Conditional::Conditional(cudaGraphConditionalHandle asked, cudaGraphConditionalNodeType kind,
                         std::size_t size)
    : handle(asked), type(kind) {
  for (std::size_t i = 0; i < size; ++i) bodies.push_back(newGraph());
}
Conditional::~Conditional() {
  for (const cudaGraph_t body : bodies) destroyGraph(body);
}

bool prepare(const Conditional& conditional, NodeWork& work, std::vector<cudaGraphConditionalHandle>& asked) {
  asked.push_back(conditional.handle);
  std::vector<std::vector<Step>> bodies(conditional.bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!order(*conditional.bodies[i], bodies[i], asked)) return false;
  const ConditionalHandle* handle = find(conditional.handle);
  work = [handle, bodies, type = conditional.type](cudaStream_t stream) {
    const auto value = [handle] { return handle->value.load(std::memory_order_relaxed); };
    if (type == cudaGraphCondTypeWhile) {
      while (value() != 0)
        if (const cudaError_t error = run(bodies[0], stream)) return error;
      return cudaSuccess;
    }
    const unsigned chosen = type == cudaGraphCondTypeSwitch ? value() : value() == 0;
    return chosen < bodies.size() ? run(bodies[chosen], stream) : cudaSuccess;
  };
  return true;
}

void assignDefaults(const std::vector<cudaGraphConditionalHandle>& asked) {
  for (const cudaGraphConditionalHandle number : asked)
    if (ConditionalHandle* handle = find(number); handle->isAssigned) handle->value = handle->first;
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int defaultValue, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (handle == nullptr || !isGraph(graph) || (flags & ~unsigned{cudaGraphCondAssignDefault}) != 0)
    return leave(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(handles().mutex);
  ConditionalHandle& made = handles().all.emplace_back();
  made.first = defaultValue;
  made.isAssigned = (flags & cudaGraphCondAssignDefault) != 0;
  made.value = defaultValue;
  *handle = handles().all.size();
  return cudaSuccess;
}

void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  ConditionalHandle* known = find(handle);
  if (known == nullptr) cuiFailKernel("cudaGraphSetConditional of what is not a handle");
  known->value.store(value, std::memory_order_relaxed);
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                             const cudaGraphEdgeData*, size_t count, struct cudaGraphNodeParams* p) {
  if (p == nullptr) return leave(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return cudaGraphAddKernelNode(node, graph, dependencies, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(node, graph, dependencies, count, &p->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(node, graph, dependencies, count, &p->host);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(node, graph, dependencies, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, dependencies, count);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(node, graph, dependencies, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(node, graph, dependencies, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
      return cudaGraphAddMemAllocNode(node, graph, dependencies, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, dependencies, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
      break;
    default:
      return notSupported("cudaGraphAddNode of this type");
  }
  if (!isGood(p->conditional)) return leave(cudaErrorInvalidValue);
  const cudaError_t error = addNode(node, graph, dependencies, count, cudaGraphNodeTypeConditional, {});
  if (error != cudaSuccess) return error;
  auto conditional =
      std::make_shared<Conditional>(p->conditional.handle, p->conditional.type, p->conditional.size);
  p->conditional.phGraph_out = conditional->bodies.data();
  (*node)->conditional = std::move(conditional);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams* p) {
  if (p == nullptr) return leave(cudaErrorInvalidValue);
  if (p->type != cudaGraphNodeTypeKernel) return notSupported("cudaGraphNodeSetParams of this type");
  return cudaGraphKernelNodeSetParams(node, &p->kernel);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                       struct cudaGraphNodeParams* p) {
  if (p == nullptr) return leave(cudaErrorInvalidValue);
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return cudaGraphExecKernelNodeSetParams(instance, node, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphExecMemcpyNodeSetParams(instance, node, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return cudaGraphExecMemsetNodeSetParams(instance, node, &p->memset);
    case cudaGraphNodeTypeHost:
      return cudaGraphExecHostNodeSetParams(instance, node, &p->host);
    default:
      return notSupported("cudaGraphExecNodeSetParams of this type");
  }
}
