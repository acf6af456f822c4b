// cuBLAS is not part of the CPU backend.
#pragma once

#error "cuinstrument: cublas.h (cuBLAS) is not supported on the CPU backend; build with nvcc instead"
