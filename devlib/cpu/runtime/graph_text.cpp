// What a program can see of a graph: its edges, and a picture in DOT.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "graph.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

const char* nameOf(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "GRAPH";
    case cudaGraphNodeTypeEmpty:
      return "EMPTY";
    case cudaGraphNodeTypeWaitEvent:
      return "EVENT_WAIT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM_FREE";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
    default:
      return "NODE";
  }
}

struct Closing {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace
}  // namespace cui::cpu

using namespace cui::cpu;

extern "C" {

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isGraph(graph) || count == nullptr || (from == nullptr) != (to == nullptr))
    return leave(cudaErrorInvalidValue);
  size_t found = 0;
  for (const auto& node : graph->nodes)
    for (const cudaGraphNode_t before : node->dependencies) {
      if (from != nullptr && found < *count) {
        from[found] = before;
        to[found] = node.get();
        if (edges != nullptr) edges[found] = {};
      }
      ++found;
    }
  if (from != nullptr)
    for (size_t i = found; i < *count; ++i) from[i] = to[i] = nullptr;
  *count = found;
  return cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isGraph(graph) || path == nullptr) return leave(cudaErrorInvalidValue);
  const std::unique_ptr<std::FILE, Closing> file(std::fopen(path, "w"));
  if (file == nullptr) return leave(cudaErrorOperatingSystem);
  const auto& nodes = graph->nodes;
  const auto numberOf = [&](cudaGraphNode_t wanted) {
    return std::find_if(nodes.begin(), nodes.end(), [=](const auto& node) { return node.get() == wanted; }) -
           nodes.begin();
  };
  std::fprintf(file.get(), "digraph dot {\n");
  for (const auto& node : nodes) {
    const long number = numberOf(node.get());
    std::fprintf(file.get(), "\"node_%ld\" [shape=\"box\" label=\"%ld\\n%s\"];\n", number, number,
                 nameOf(node->type));
    for (const cudaGraphNode_t before : node->dependencies)
      std::fprintf(file.get(), "\"node_%ld\" -> \"node_%ld\";\n", static_cast<long>(numberOf(before)),
                   number);
  }
  std::fprintf(file.get(), "}\n");
  return cudaSuccess;
}

}  // extern "C"
