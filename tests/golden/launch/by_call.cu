// Launches that are calls: the function's name is wrapped, and the kernel is what the argument names, if it names one.
// Kernels in graphs: graph_nodes.cu. A kernel whose address becomes a void pointer is wrapped for the CPU backend only.
// expect: CUI_LAUNCH_CALL(#, cudaLaunchKernel)((const void*)k, dim3(1), dim3(32), arguments, 0, stream);
// expect: CUI_LAUNCH_CALL(#, cudaLaunchCooperativeKernel)((void*)ns::typed<float>, 1, 32, arguments);
// expect: CUI_LAUNCH_ENTRY("ns::typed<float>", "ns::typed", "launch", 0, 18, 3, 1)
// expect: CUI_LAUNCH_ENTRY("chosen", "", "launch", 0, 20, 3, 1)
// expect: CUI_LAUNCH_CALL(#, cudaGraphAddKernelNode)(&node, graph, nullptr, 0, &parameters);
// expect: ::CUI_GLOBAL_LAUNCH_CALL(#, cudaLaunchKernel)((const void*)k, dim3(1), dim3(32), arguments, 0, stream);
// expect: CUI_LAUNCH(#, chosen CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(a))
namespace ns {
template <class T>
__global__ void typed(T* a) { a[threadIdx.x] = 1; }
}
__global__ void k(int* a) { a[threadIdx.x] = 1; }
void launch(int* a, cudaStream_t stream, cudaGraph_t graph, cudaLaunchConfig_t* config) {
  void* arguments[] = {&a};
  cudaLaunchKernel((const void*)k, dim3(1), dim3(32), arguments, 0, stream);
  cudaLaunchCooperativeKernel((void*)ns::typed<float>, 1, 32, arguments);
  void (*chosen)(int*) = k;
  cudaLaunchKernelExC(config, (const void*)chosen, arguments);
  ::cudaLaunchKernel((const void*)k, dim3(1), dim3(32), arguments, 0, stream);
  cudaGraphNode_t node;
  cudaKernelNodeParams parameters = {};
  parameters.func = (void*)ns::typed<int>;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters);
  chosen<<<1, 32>>>(a);
}
