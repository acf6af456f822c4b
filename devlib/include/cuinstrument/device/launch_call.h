// Launches by a call: CUI_LAUNCH_CALL(n, cudaLaunchKernel)(…) calls a member function with the overloads and
// default arguments of the original, one copy for all launches of the unit (as api.h's). A launch scope lives
// around the original's call: made of the configuration, it announces the launch as the forms around <<<…>>>
// do. Calls that make a graph's kernel node, or change it, say what its runs will be.
#pragma once

#include <cstddef>

#include "cuinstrument/device/api.h"

namespace cui {
/// Units with different host sides of launches may be in one program.
inline namespace CUI_HOST_SIDE {

#if defined(CUI_CPU_BACKEND)

/// The launches that start here are those of the row, which a call does not say by itself.
class LaunchScope {
 public:
  LaunchScope(const format::UnitTable& unit, unsigned int number) : before_(backend::calledLaunch()) {
    backend::calledLaunch() = {&unit, number};
  }
  LaunchScope(const format::UnitTable& unit, unsigned int number, dim3, dim3, std::size_t, cudaStream_t)
      : LaunchScope(unit, number) {}
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
  ~LaunchScope() { backend::calledLaunch() = before_; }

  /// Of a call that makes a node: the runtime has seen whose it is.
  template <class Parameters>
  cudaError_t made(cudaError_t result, cudaGraphNode_t, const Parameters*, CuiNodeChange) const {
    return result;
  }

 private:
  backend::CalledLaunch before_;
};
using NodeScope = LaunchScope;

#else

class LaunchScope {
 public:
  LaunchScope(backend::HostUnit& unit, unsigned int number, dim3 grid, dim3 block, std::size_t sharedBytes,
              cudaStream_t stream)
      : unit_(unit), number_(number) {
    backend::announceLaunch(unit, number);
    backend::launchGrid(grid);
    backend::launchBlock(block);
    backend::launchSharedBytes(sharedBytes);
    backend::launchStream(stream);
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
  ~LaunchScope() { backend::concludeLaunch(unit_, number_); }

 private:
  backend::HostUnit& unit_;
  unsigned int number_;
};

class NodeScope {
 public:
  NodeScope(backend::HostUnit& unit, unsigned int number)
      : unit_(unit), number_(number), beginNs_(cuiNow()) {}

  /// After the call.
  template <class Parameters>
  cudaError_t made(cudaError_t result, cudaGraphNode_t node, const Parameters* p,
                   CuiNodeChange change) const {
    if (result != cudaSuccess || p == nullptr) return result;
    const backend::GraphNode made = {node,   p->func, p->gridDim, p->blockDim, p->sharedMemBytes,
                                     change, beginNs_};
    backend::announceNode(unit_, number_, made);
    return result;
  }

 private:
  backend::HostUnit& unit_;
  unsigned int number_;
  int64_t beginNs_;
};

#endif

}  // namespace CUI_HOST_SIDE

/// `ThisUnit::launchUnit()` is what scopes know the unit by: a template's, as nvcc warns of others that are
/// not called.
template <class ThisUnit>
class LaunchCalls {
  unsigned int launch_;  ///< row of the unit's table of launches

#if CUDART_VERSION >= 12020
  /// Null where the node launches no kernel.
  static const cudaKernelNodeParamsV2* kernelOf(const cudaGraphNodeParams* p) {
    return p != nullptr && p->type == cudaGraphNodeTypeKernel ? &p->kernel : nullptr;
  }
#endif
  template <class Parameters>
  static cudaError_t added(const NodeScope& made, cudaError_t result, const cudaGraphNode_t* node,
                           const Parameters* p) {
    return made.made(result, result == cudaSuccess ? *node : nullptr, p, CUI_NODE_ADDED);
  }
  /// A null configuration is for the original to refuse.
  static cudaLaunchConfig_t valueOf(const cudaLaunchConfig_t* config) {
    return config != nullptr ? *config : cudaLaunchConfig_t();
  }

 public:
  using Unit = ThisUnit;

  CUI_HD explicit constexpr LaunchCalls(unsigned int launch) : launch_(launch) {}

  template <class T>
  CUI_ONE_COPY cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                            std::size_t sharedBytes = 0,
                                            cudaStream_t stream = nullptr) const {
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, grid, block, sharedBytes, stream);
    return ::cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                       std::size_t sharedBytes = 0,
                                                       cudaStream_t stream = nullptr) const {
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, grid, block, sharedBytes, stream);
    return ::cudaLaunchCooperativeKernel(kernel, grid, block, arguments, sharedBytes, stream);
  }
  CUI_ONE_COPY cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                               void** arguments) const {
    const cudaLaunchConfig_t c = valueOf(config);
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, c.gridDim, c.blockDim, c.dynamicSmemBytes,
                            c.stream);
    return ::cudaLaunchKernelExC(config, kernel, arguments);
  }
  template <class... Parameters, class... Arguments>
  CUI_ONE_COPY cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                              Arguments&&... arguments) const {
    const cudaLaunchConfig_t c = valueOf(config);
    const LaunchScope scope(ThisUnit::launchUnit(), launch_, c.gridDim, c.blockDim, c.dynamicSmemBytes,
                            c.stream);
    return ::cudaLaunchKernelEx(config, kernel, static_cast<Arguments&&>(arguments)...);
  }

  // --- graphs' nodes
  CUI_ONE_COPY cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, std::size_t count,
                                                  const cudaKernelNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    const cudaError_t result = ::cudaGraphAddKernelNode(node, graph, dependencies, count, p);
    return added(made, result, node, p);
  }
  CUI_ONE_COPY cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
                                                        const cudaKernelNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    return made.made(::cudaGraphKernelNodeSetParams(node, p), node, p, CUI_NODE_SET);
  }
  CUI_ONE_COPY cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                            const cudaKernelNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    return made.made(::cudaGraphExecKernelNodeSetParams(instance, node, p), node, p, CUI_NODE_INSTANCE_SET);
  }
#if CUDART_VERSION >= 13000
  CUI_ONE_COPY cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies,
                                            const cudaGraphEdgeData* edges, std::size_t count,
                                            cudaGraphNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    const cudaError_t result = ::cudaGraphAddNode(node, graph, dependencies, edges, count, p);
    return added(made, result, node, kernelOf(p));
  }
#elif CUDART_VERSION >= 12020
  CUI_ONE_COPY cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, std::size_t count,
                                            cudaGraphNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    const cudaError_t result = ::cudaGraphAddNode(node, graph, dependencies, count, p);
    return added(made, result, node, kernelOf(p));
  }
#endif
#if CUDART_VERSION >= 12030 && CUDART_VERSION < 13000
  CUI_ONE_COPY cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                               const cudaGraphNode_t* dependencies,
                                               const cudaGraphEdgeData* edges, std::size_t count,
                                               cudaGraphNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    const cudaError_t result = ::cudaGraphAddNode_v2(node, graph, dependencies, edges, count, p);
    return added(made, result, node, kernelOf(p));
  }
#endif
#if CUDART_VERSION >= 12020
  CUI_ONE_COPY cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    return made.made(::cudaGraphNodeSetParams(node, p), node, kernelOf(p), CUI_NODE_SET);
  }
  CUI_ONE_COPY cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                      cudaGraphNodeParams* p) const {
    const NodeScope made(ThisUnit::launchUnit(), launch_);
    return made.made(::cudaGraphExecNodeSetParams(instance, node, p), node, kernelOf(p),
                     CUI_NODE_INSTANCE_SET);
  }
#endif

  // As api.h's: nvcc looks at the arguments only when a template is instantiated.
  struct Nothing;
#define CUI_GRAPH_FUNCTION(name) cudaError_t name(Nothing&) const;
#include "cuinstrument/device/graph_api.def"
};

}  // namespace cui

#define CUI_LAUNCH_CALL(n, name) ::cui::CuiLaunchCall(n).name
/// Behind a `::` of the user's.
#define CUI_GLOBAL_LAUNCH_CALL(n, name) cui::CuiLaunchCall(n).name
