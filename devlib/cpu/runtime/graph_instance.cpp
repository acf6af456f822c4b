// Instances of graphs: made, changed, launched. A launch runs every node before it returns, one after
// another.
#include <mutex>
#include <set>

#include "graph.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

/// Those that the program may use.
struct Instances {
  std::mutex mutex;
  std::set<const void*> all;
};
Instances& instances() {
  static auto* made = new Instances;  // outlives static destructors that destroy them
  return *made;
}
bool isInstance(cudaGraphExec_t instance) {
  std::lock_guard<std::mutex> lock(instances().mutex);
  return instances().all.count(instance) == 1;
}

/// The step of a node; null if the instance has none of that type.
Step* stepOf(cudaGraphExec_t instance, cudaGraphNode_t node, cudaGraphNodeType type) {
  if (!isInstance(instance)) return nullptr;
  for (Step& step : instance->steps)
    if (step.node == node) return step.type == type ? &step : nullptr;
  return nullptr;
}

cudaError_t setStep(cudaGraphExec_t instance, cudaGraphNode_t node, cudaGraphNodeType type, NodeWork work) {
  if (const cudaError_t error = enter()) return leave(error);
  Step* step = stepOf(instance, node, type);
  if (step == nullptr) return leave(cudaErrorInvalidValue);
  step->work = std::move(work);
  return cudaSuccess;
}

}  // namespace
}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* result, cudaGraph_t graph, unsigned long long flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || !isGraph(graph)) return leave(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0)
    return notSupported("cudaGraphInstantiate for launches from device code");
  auto instance = std::make_unique<CUgraphExec_st>();
  if (!order(*graph, instance->steps, instance->handles)) return leave(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0)
    for (const auto& node : graph->nodes)
      if (node->memory != nullptr) instance->freedOnLaunch.push_back(node->memory);
  *result = instance.release();
  std::lock_guard<std::mutex> lock(instances().mutex);
  instances().all.insert(*result);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* result, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(result, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) {
  if (const cudaError_t error = enter()) return leave(error);
  {
    std::lock_guard<std::mutex> lock(instances().mutex);
    if (instances().all.erase(instance) == 0) return leave(cudaErrorInvalidValue);
  }
  delete instance;
  return cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t instance, cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(isInstance(instance) && isStream(stream) ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isInstance(instance) || !isStream(stream)) return leave(cudaErrorInvalidValue);
  if (isCapturing(stream))
    return capture(stream, cudaGraphNodeTypeGraph,
                   [steps = instance->steps](cudaStream_t at) { return run(steps, at); });
  assignDefaults(instance->handles);
  freeReserved(instance->freedOnLaunch);
  return leave(run(instance->steps, stream));
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  if (const cudaError_t error = enter()) return leave(error);
  std::vector<Step> steps;
  std::vector<cudaGraphConditionalHandle> handles;
  if (!isInstance(instance) || !isGraph(graph) || info == nullptr || !order(*graph, steps, handles))
    return leave(cudaErrorInvalidValue);
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  if (steps.size() != instance->steps.size()) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return leave(cudaErrorGraphExecUpdateFailure);
  }
  for (size_t i = 0; i < steps.size(); ++i)
    if (steps[i].type != instance->steps[i].type) {
      *info = {cudaGraphExecUpdateErrorNodeTypeChanged, steps[i].node, nullptr};
      return leave(cudaErrorGraphExecUpdateFailure);
    }
  // The instance's nodes stay those of the graph that it was made from.
  for (size_t i = 0; i < steps.size(); ++i) instance->steps[i].work = steps[i].work;
  instance->handles = handles;
  return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  if (parameters == nullptr) return leave(cudaErrorInvalidValue);
  auto call = std::make_shared<KernelCall>();
  if (const cudaError_t error = copyKernelCall(*parameters, *call)) return error;
  return setStep(instance, node, cudaGraphNodeTypeKernel, workOf(call));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  if (parameters == nullptr) return leave(cudaErrorInvalidValue);
  return setStep(instance, node, cudaGraphNodeTypeMemcpy, workOf(*parameters));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  if (!isGood(parameters)) return leave(cudaErrorInvalidValue);
  return setStep(instance, node, cudaGraphNodeTypeMemset, workOf(*parameters));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  if (parameters == nullptr || parameters->fn == nullptr) return leave(cudaErrorInvalidValue);
  return setStep(instance, node, cudaGraphNodeTypeHost, workOf(*parameters));
}
