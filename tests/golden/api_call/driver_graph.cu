// A graph's node that the driver makes: only said, as its kernel is a handle.
// cpu: no, it refuses graphs of the driver API
// expect: cuGraphAddKernelNode(&node, graph, nullptr, 0, parameters);
// expect: "a graph's kernel node: its place and configuration are not recorded"
#include <cuda.h>
void make(CUgraph graph, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  CUgraphNode node;
  cuGraphAddKernelNode(&node, graph, nullptr, 0, parameters);
}
