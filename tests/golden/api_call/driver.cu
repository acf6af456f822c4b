// The driver API: cuda.h's macros append suffixes to its names, tables have the name as documented; an address that is an
// integer has no element type. Launches are rows of the launches.
// cpu: no, it refuses launches of the driver API
// expect: CHECK(CUI_DRIVER_API(#, cuMemAlloc)(&input, n * sizeof(float)));
// expect: ::CUI_GLOBAL_DRIVER_API(#, cuMemAllocHost)((void**)&host, n * sizeof(float));
// expect: CUI_DRIVER_API(#, cuMemcpyHtoDAsync)(input, host, n * sizeof(float), stream);
// expect: CUI_DRIVER_API(#, cuMemsetD32)(input, 0, n)
// expect: CUI_DRIVER_API(#, cuCtxSynchronize)()
// expect: CUI_DRIVER_LAUNCH(#, cuLaunchKernel)(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr);
// expect: ::CUI_GLOBAL_DRIVER_LAUNCH(#, cuLaunchCooperativeKernel)(kernel,
// expect: CUI_DRIVER_LAUNCH(#, cuLaunchKernelEx)(&config, kernel, arguments, nullptr);
// expect: CUI_CALL_ENTRY("cuMemAlloc", "allocate", "input", "", 0,
// expect: CUI_CALL_ENTRY("cuMemAllocPitch", "allocate", "rows", "", 0,
// expect: CUI_CALL_ENTRY("cuMemAllocHost", "allocate", "host", "float", 4,
// expect: CUI_LAUNCH_ENTRY("kernel", "", "allocate",
// expect: "an allocation of the driver API"
#include <cuda.h>
#define CHECK(call) do { if ((call) != CUDA_SUCCESS) failed(#call); } while (0)
void failed(const char* text);
struct Buffers { CUdeviceptr first; };
void allocate(CUfunction kernel, CUstream stream, std::size_t n) {
  CUdeviceptr input, rows;
  Buffers buffers;
  float* host;
  std::size_t pitch;
  CHECK(cuMemAlloc(&input, n * sizeof(float)));
  cuMemAllocManaged(&buffers.first, n, CU_MEM_ATTACH_GLOBAL);
  cuMemAllocPitch(&rows, &pitch, 100, 4, 16);
  ::cuMemAllocHost((void**)&host, n * sizeof(float));
  cuMemcpyHtoDAsync(input, host, n * sizeof(float), stream);
  cuMemsetD32(input, 0, n), cuMemcpyDtoH(host, rows, 4);
  void* arguments[] = {&input};
  cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments, nullptr);
  cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, 0, arguments, 0);
  ::cuLaunchCooperativeKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, arguments);
  CUlaunchConfig config = {};
  cuLaunchKernelEx(&config, kernel, arguments, nullptr);
  cuCtxSynchronize();
  cuMemMap(input, n, 0, CUmemGenericAllocationHandle(), 0);
  cuMemFree(input), cuMemFreeHost(host);
}
#undef CHECK
