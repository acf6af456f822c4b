// cuBLASLt is not part of the CPU backend.
#pragma once

#error "cuinstrument: cublasLt.h (cuBLASLt) is not supported on the CPU backend; build with nvcc instead"
