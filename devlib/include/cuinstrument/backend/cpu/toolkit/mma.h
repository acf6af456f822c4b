// wmma (tensor cores) is not part of the CPU backend.
#pragma once

#error "cuinstrument: mma.h (wmma (tensor cores)) is not supported on the CPU backend; build with nvcc instead"
