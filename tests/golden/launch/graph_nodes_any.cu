// A node of any type may be a kernel's: which it is, the wrapper sees when the program runs. The arguments are those
// of CUDA 13.
// expect: CUI_LAUNCH_CALL(#, cudaGraphAddNode)(&node, graph, nullptr, nullptr, 0, &parameters);
// expect: CUI_LAUNCH_ENTRY("parameters", "", "make", 0, 9, 3, 1)
// expect-not: are not recorded
void make(cudaGraph_t graph) {
  cudaGraphNode_t node;
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeKernel};
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters);
}
