// NCCL is not part of the CPU backend.
#pragma once

#error "cuinstrument: nccl.h (NCCL) is not supported on the CPU backend; build with nvcc instead"
