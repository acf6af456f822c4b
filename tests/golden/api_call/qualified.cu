// Calls whose name is qualified by `::`, and allocations of the rarer kinds.
// expect: ::CUI_GLOBAL_API(#, cudaMalloc)(&p, n);
// expect: return ::CUI_GLOBAL_API(#, cudaFree)(p);
// expect: CUI_API(#, cudaMalloc3D)(&volume, cudaExtent{n, n, 2});
// expect: CUI_API(#, cudaMallocFromPoolAsync)((void**)&p, n, pool, stream);
// expect: CUI_API(#, cudaHostRegister)(host, n, cudaHostRegisterDefault);
// expect: CUI_API(#, cudaHostUnregister)(host);
// expect: CUI_CALL_ENTRY("cudaHostRegister", "rare", "host", "double", 8,
// expect: CUI_CALL_ENTRY("cudaMalloc3D", "rare", "volume", "", 0,
cudaError_t release(void* p) { return ::cudaFree(p); }
void rare(size_t n, cudaStream_t stream, cudaMemPool_t pool, double* host) {
  int* p;
  if (n > 3) ::cudaMalloc(&p, n);
  cudaPitchedPtr volume;
  cudaMalloc3D(&volume, cudaExtent{n, n, 2});
  cudaMallocFromPoolAsync((void**)&p, n, pool, stream);
  cudaHostRegister(host, n, cudaHostRegisterDefault);
  cudaHostUnregister(host);
  release(p);
}
