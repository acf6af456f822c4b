// Calls that make a graph's kernel node, or give it other parameters: the function's name is wrapped, and the row is
// the call's, because each run of the node is a launch. Which kernel it is, the parameters say when the program runs.
// expect: CUI_LAUNCH_CALL(#, cudaGraphAddKernelNode)(&node, graph, nullptr, 0, &parameters);
// expect: ::CUI_GLOBAL_LAUNCH_CALL(#, cudaGraphAddKernelNode)(&node, graph, &node, 1, &parameters);
// expect: CUI_LAUNCH_CALL(#, cudaGraphKernelNodeSetParams)(node, &parameters);
// expect: CUI_LAUNCH_CALL(#, cudaGraphNodeSetParams)(node, any);
// expect: CUI_LAUNCH_CALL(#, cudaGraphExecKernelNodeSetParams)(instance, node, &parameters);
// expect: CUI_LAUNCH_CALL(#, cudaGraphExecNodeSetParams)(instance, node, any);
// expect: CHECKED(CUI_LAUNCH_CALL(#, cudaGraphAddKernelNode)(&node, graph, nullptr, 0, list + 1));
// expect: CUI_LAUNCH_CALL(#, cudaGraphAddKernelNode)(&node, graph, nullptr, 0, &of);
// expect: CUI_LAUNCH_ENTRY("parameters", "", "make", 0, 20, 3, 1)
// expect: CUI_LAUNCH_ENTRY("any", "", "make", 0, 23, 3, 1)
// expect-not: are not recorded
#define CHECKED(call) (void)(call)
__global__ void k(int* a) { a[threadIdx.x] = 1; }
void make(cudaGraph_t graph, cudaGraphExec_t instance, cudaGraphNodeParams* any, cudaKernelNodeParams* list) {
  cudaGraphNode_t node;
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)k;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
  ::cudaGraphAddKernelNode(&node, graph, &node, 1, &parameters);
  cudaGraphKernelNodeSetParams(node, &parameters);
  cudaGraphNodeSetParams(node, any);
  cudaGraphExecKernelNodeSetParams(instance, node, &parameters);
  cudaGraphExecNodeSetParams(instance, node, any);
  CHECKED(cudaGraphAddKernelNode(&node, graph, nullptr, 0, list + 1));
}
// In a template that nothing instantiates, too.
template <class Parameters>
void makeOf(cudaGraph_t graph, Parameters of) {
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &of);
}
