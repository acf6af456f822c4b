// Launches by a call: CUI_LAUNCH_CALL(n, cudaLaunchKernel)(…) calls a static member function with the
// overloads and default arguments of the original. A launch scope lives around the original's call: made of
// the configuration, it announces the launch as the forms around <<<…>>> do. Calls that make a graph's kernel
// node, or change it, say what its runs will be.
#pragma once

#include <cstddef>

namespace cui {

#if defined(CUI_CPU_BACKEND)

/// The launches that start here are those of the row, which a call does not say by itself.
template <class Row>
class LaunchScope {
 public:
  LaunchScope(dim3, dim3, std::size_t, cudaStream_t) : before_(backend::calledLaunch()) {
    backend::calledLaunch() = {&Row::Unit::table(), Row::number};
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
  ~LaunchScope() { backend::calledLaunch() = before_; }

  /// Of a call that makes a node: the runtime has seen whose it is.
  LaunchScope() : LaunchScope(dim3(), dim3(), 0, nullptr) {}
  template <class Parameters>
  cudaError_t made(cudaError_t result, cudaGraphNode_t, const Parameters*, CuiNodeChange) const {
    return result;
  }

 private:
  backend::CalledLaunch before_;
};
template <class Row>
using NodeScope = LaunchScope<Row>;

#else

template <class Row>
class LaunchScope {
 public:
  LaunchScope(dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream) {
    backend::announceLaunch(Row::unit(), Row::number);
    backend::launchGrid(grid);
    backend::launchBlock(block);
    backend::launchSharedBytes(sharedBytes);
    backend::launchStream(stream);
  }
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;
  ~LaunchScope() { backend::concludeLaunch(Row::unit(), Row::number); }
};

template <class Row>
class NodeScope {
 public:
  NodeScope() : beginNs_(cuiNow()) {}

  /// After the call.
  template <class Parameters>
  cudaError_t made(cudaError_t result, cudaGraphNode_t node, const Parameters* p,
                   CuiNodeChange change) const {
    if (result != cudaSuccess || p == nullptr) return result;
    const backend::GraphNode made = {node,   p->func, p->gridDim, p->blockDim, p->sharedMemBytes,
                                     change, beginNs_};
    backend::announceNode(Row::unit(), Row::number, made);
    return result;
  }

 private:
  int64_t beginNs_;
};

#endif

template <class Scope, class Node>
class LaunchCalls {
#if CUDART_VERSION >= 12020
  /// Null where the node launches no kernel.
  static const cudaKernelNodeParamsV2* kernelOf(const cudaGraphNodeParams* p) {
    return p != nullptr && p->type == cudaGraphNodeTypeKernel ? &p->kernel : nullptr;
  }
#endif
  template <class Parameters>
  static cudaError_t added(const Node& made, cudaError_t result, const cudaGraphNode_t* node,
                           const Parameters* p) {
    return made.made(result, result == cudaSuccess ? *node : nullptr, p, CUI_NODE_ADDED);
  }
  /// A null configuration is for the original to refuse.
  static cudaLaunchConfig_t valueOf(const cudaLaunchConfig_t* config) {
    return config != nullptr ? *config : cudaLaunchConfig_t();
  }

 public:
  template <class T>
  static cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    const Scope scope(grid, block, sharedBytes, stream);
    return ::cudaLaunchKernel(kernel, grid, block, arguments, sharedBytes, stream);
  }
  template <class T>
  static cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                 std::size_t sharedBytes = 0, cudaStream_t stream = nullptr) {
    const Scope scope(grid, block, sharedBytes, stream);
    return ::cudaLaunchCooperativeKernel(kernel, grid, block, arguments, sharedBytes, stream);
  }
  static cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* kernel,
                                         void** arguments) {
    const cudaLaunchConfig_t c = valueOf(config);
    const Scope scope(c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream);
    return ::cudaLaunchKernelExC(config, kernel, arguments);
  }
  template <class... Parameters, class... Arguments>
  static cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                        Arguments&&... arguments) {
    const cudaLaunchConfig_t c = valueOf(config);
    const Scope scope(c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream);
    return ::cudaLaunchKernelEx(config, kernel, static_cast<Arguments&&>(arguments)...);
  }

  // --- graphs' nodes
  static cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, std::size_t count,
                                            const cudaKernelNodeParams* p) {
    const Node made;
    const cudaError_t result = ::cudaGraphAddKernelNode(node, graph, dependencies, count, p);
    return added(made, result, node, p);
  }
  static cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
    const Node made;
    return made.made(::cudaGraphKernelNodeSetParams(node, p), node, p, CUI_NODE_SET);
  }
  static cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                      const cudaKernelNodeParams* p) {
    const Node made;
    return made.made(::cudaGraphExecKernelNodeSetParams(instance, node, p), node, p, CUI_NODE_INSTANCE_SET);
  }
#if CUDART_VERSION >= 13000
  static cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                      std::size_t count, cudaGraphNodeParams* p) {
    const Node made;
    const cudaError_t result = ::cudaGraphAddNode(node, graph, dependencies, edges, count, p);
    return added(made, result, node, kernelOf(p));
  }
#elif CUDART_VERSION >= 12020
  static cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* dependencies, std::size_t count,
                                      cudaGraphNodeParams* p) {
    const Node made;
    const cudaError_t result = ::cudaGraphAddNode(node, graph, dependencies, count, p);
    return added(made, result, node, kernelOf(p));
  }
#endif
#if CUDART_VERSION >= 12030 && CUDART_VERSION < 13000
  static cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                         const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                         std::size_t count, cudaGraphNodeParams* p) {
    const Node made;
    const cudaError_t result = ::cudaGraphAddNode_v2(node, graph, dependencies, edges, count, p);
    return added(made, result, node, kernelOf(p));
  }
#endif
#if CUDART_VERSION >= 12020
  static cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
    const Node made;
    return made.made(::cudaGraphNodeSetParams(node, p), node, kernelOf(p), CUI_NODE_SET);
  }
  static cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                                cudaGraphNodeParams* p) {
    const Node made;
    return made.made(::cudaGraphExecNodeSetParams(instance, node, p), node, kernelOf(p),
                     CUI_NODE_INSTANCE_SET);
  }
#endif

  // As api.h's: nvcc looks at the arguments only when a template is instantiated.
  struct Nothing;
#define CUI_GRAPH_FUNCTION(name) static cudaError_t name(Nothing&);
#include "cuinstrument/device/graph_api.def"
};

template <class Row>
using CuiLaunchCall = LaunchCalls<LaunchScope<Row>, NodeScope<Row>>;

}  // namespace cui

#define CUI_LAUNCH_CALL(n, name) ::cui::CuiLaunchCall<::cui::LaunchRow<n>>::name
/// Behind a `::` of the user's.
#define CUI_GLOBAL_LAUNCH_CALL(n, name) cui::CuiLaunchCall<::cui::LaunchRow<n>>::name
