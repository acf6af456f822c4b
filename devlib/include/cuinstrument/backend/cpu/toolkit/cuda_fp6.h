// 6-bit floating point is not part of the CPU backend.
#pragma once

#error "cuinstrument: cuda_fp6.h (6-bit floating point) is not supported on the CPU backend; build with nvcc instead"
