// Launches that are calls, and kernels in graphs: said, because nothing of them is recorded but the kernel itself.
// expect: "a launch by a call: its place and configuration are not recorded"
// expect: "cudaLaunchCooperativeKernel((const void*)k, dim3(1), dim3(32), arguments, 0, stream)"
// cpu: no, its runtime launches these otherwise
// expect: "a graph's kernel node: its place and configuration are not recorded"
// expect: CUI_LAUNCH(#, chosen CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(a))
__global__ void k(int* a) { a[threadIdx.x] = 1; }
void launch(int* a, cudaStream_t stream, cudaGraph_t graph) {
  void* arguments[] = {&a};
  cudaLaunchKernel((const void*)k, dim3(1), dim3(32), arguments, 0, stream);
  cudaLaunchCooperativeKernel((const void*)k, dim3(1), dim3(32), arguments, 0, stream);
  cudaGraphNode_t node;
  cudaKernelNodeParams parameters = {};
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
  void (*chosen)(int*) = k;
  chosen<<<1, 32>>>(a);
}
