// The other calls in device/api.def: pinned and stream-ordered memory, symbols, freeing, synchronising.
// expect: CUI_API(#, cudaHostAlloc)((void**)&pinned, n, cudaHostAllocDefault);
// expect: CUI_API(#, cudaMallocAsync)(&pooled, n, stream);
// expect: CUI_API(#, cudaMemcpyToSymbol)(constants, pinned, n);
// expect: CUI_API(#, cudaMemcpyFromSymbol)(pinned, constants, n, 0, cudaMemcpyDeviceToHost);
// expect: CUI_API(#, cudaMallocMipmappedArray)(&pyramid, &texels, make_cudaExtent(8, 4, 0), 3);
// expect: CUI_API(#, cudaFreeMipmappedArray)(pyramid);
// expect: CUI_API(#, cudaFreeAsync)(pooled, stream);
// expect: CUI_API(#, cudaStreamSynchronize)(stream);
// expect: CUI_CALL_ENTRY("cudaMallocAsync", "Pool::allocate", "pooled", "int", 4,
// expect: CUI_VARIABLE_ENTRY("constants", "", "float[16]", "float", 4, 64, constant, 0,
__constant__ float constants[16];
struct Pool {
  float* pinned;
  int* pooled;
  void allocate(size_t n, cudaStream_t stream);
};
void Pool::allocate(size_t n, cudaStream_t stream) {
  cudaHostAlloc((void**)&pinned, n, cudaHostAllocDefault);
  cudaMallocAsync(&pooled, n, stream);
  cudaMemcpyToSymbol(constants, pinned, n);
  cudaMemcpyFromSymbol(pinned, constants, n, 0, cudaMemcpyDeviceToHost);
  cudaMemsetAsync(pooled, 0, n, stream);
  cudaFreeAsync(pooled, stream);
  cudaStreamSynchronize(stream);
  cudaFreeHost(pinned);
  cudaMipmappedArray_t pyramid;
  const cudaChannelFormatDesc texels = cudaCreateChannelDesc<float>();
  cudaMallocMipmappedArray(&pyramid, &texels, make_cudaExtent(8, 4, 0), 3);
  cudaFreeMipmappedArray(pyramid);
}
