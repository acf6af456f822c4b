// The cudaMalloc family, the (void**) and the typed form, tested, assigned and ignored. Of a name behind
// `::` only the name is wrapped.
// expect: CUI_API(#, cudaMalloc)((void**)&d_in, n * sizeof(float));
// expect: cudaError_t e = CUI_API(#, cudaMalloc)(&d_out, n * sizeof(float));
// expect: if (CUI_API(#, cudaMallocManaged)(&m, n) != cudaSuccess)
// expect: CUI_API(#, cudaMemcpy)(d_in, h, n, cudaMemcpyHostToDevice);
// expect: CUI_API(#, cudaFree)(d_in);
// expect: CUI_CALL_ENTRY("cudaMalloc", "allocate", "d_in", "float", 4,
// expect: CUI_CALL_ENTRY("cudaMallocManaged", "allocate", "m", "int", 4,
// expect: CUI_CALL_ENTRY("cudaMalloc", "allocate", "s.items", "double", 8,
// expect: e = ::CUI_GLOBAL_API(#, cudaMalloc)(&s.items, 2 * n);
// expect: CUI_API(#, cudaHostAlloc)(&flag, sizeof *flag, cudaHostAllocMapped);
// expect: CUI_CALL_ENTRY("cudaHostAlloc", "allocate", "flag", "unsigned int", 4,
struct Storage { double* items; };
void allocate(const float* h, int n) {
  float *d_in, *d_out;
  int* m;
  Storage s;
  cudaMalloc((void**)&d_in, n * sizeof(float));
  cudaError_t e = cudaMalloc(&d_out, n * sizeof(float));
  if (cudaMallocManaged(&m, n) != cudaSuccess) return;
  e = cudaMalloc(&s.items, n);
  e = ::cudaMalloc(&s.items, 2 * n);
  cudaMallocHost((void**)&h, n);
  size_t pitch;
  cudaMallocPitch(&d_out, &pitch, n, n);
  cudaMemcpy(d_in, h, n, cudaMemcpyHostToDevice);
  cudaMemset(d_in, 0, n);
  cudaDeviceSynchronize();
  cudaFree(d_in);
  volatile unsigned* flag;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  cudaFreeHost((void*)flag);
  (void)e;
}
