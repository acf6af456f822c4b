// cuda_awbarrier is not part of the CPU backend.
#pragma once

#error "cuinstrument: cuda_awbarrier.h (cuda_awbarrier) is not supported on the CPU backend; build with nvcc instead"
