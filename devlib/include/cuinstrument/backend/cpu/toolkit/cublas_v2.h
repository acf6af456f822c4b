// cuBLAS is not part of the CPU backend.
#pragma once

#error "cuinstrument: cublas_v2.h (cuBLAS) is not supported on the CPU backend; build with nvcc instead"
