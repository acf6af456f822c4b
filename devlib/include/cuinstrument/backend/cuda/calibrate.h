// A kernel of ours that the host side launches when it readies a device (device_setup.h): each unit has it,
// because it takes nvcc to compile.
#pragma once

#include <cuda_runtime.h>

#include "cuinstrument/backend/cuda/device_state.h"

namespace cui {
namespace backend {

/// Stores the id of its own grid, as the next launch on the device gets the next one, how many warps the
/// device can hold, what the system keeps of shared memory in front of the kernel's own, and the time. No
/// template: what nvcc makes of a template kernel for the host has casts that -Wuseless-cast finds.
static __global__ void calibrateGrid(DeviceContext* context) {
  unsigned long long id, now;
  unsigned int multiprocessors, warps;
  asm("mov.u64 %0, %%gridid;" : "=l"(id));
  asm("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  context->state.dropped = id;
  context->clockOffset = static_cast<long long>(now);
  context->constants.warpsPerMultiprocessor = warps;
  context->warpSlots = multiprocessors * warps;
#if __CUDA_ARCH__ >= 800
  // It lies in front (1 KiB on sm_90) or behind.
  unsigned int begin, cap;
  asm("mov.u32 %0, %%reserved_smem_offset_begin;" : "=r"(begin));
  asm("mov.u32 %0, %%reserved_smem_offset_cap;" : "=r"(cap));
  context->constants.sharedBegin = begin == 0 ? cap : 0;
#endif
}

static inline void launchCalibration(DeviceContext* context, cudaStream_t stream) {
  calibrateGrid<<<1, 1, 0, stream>>>(context);
}

}  // namespace backend
}  // namespace cui
