// 4-bit floating point is not part of the CPU backend.
#pragma once

#error "cuinstrument: cuda_fp4.h (4-bit floating point) is not supported on the CPU backend; build with nvcc instead"
