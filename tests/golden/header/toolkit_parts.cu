// Headers of the toolkit that <cuda_runtime.h> includes, included by a program itself.
// expect: CUI_ACCESS(#, out[threadIdx.x]) = __dp4a(CUI_ACCESS(#, in[threadIdx.x]), 0x01010101, 0) + tex1Dfetch<int>(texels, threadIdx.x);
#include <cuda_device_runtime_api.h>
#include <device_atomic_functions.h>
#include <driver_functions.h>
#include <sm_20_atomic_functions.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_32_atomic_functions.h>
#include <sm_32_intrinsics.h>
#include <sm_35_atomic_functions.h>
#include <sm_35_intrinsics.h>
#include <sm_60_atomic_functions.h>
#include <sm_61_intrinsics.h>
#include <surface_indirect_functions.h>
#include <texture_indirect_functions.h>
__global__ void sums(const int* in, cudaTextureObject_t texels, int* out) {
  out[threadIdx.x] = __dp4a(in[threadIdx.x], 0x01010101, 0) + tex1Dfetch<int>(texels, threadIdx.x);
  atomicAdd(out, 1);
}
cudaExtent extent() { return make_cudaExtent(4, 2, 1); }
