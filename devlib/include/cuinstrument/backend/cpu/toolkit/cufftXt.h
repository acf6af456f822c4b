// cuFFT is not part of the CPU backend.
#pragma once

#error "cuinstrument: cufftXt.h (cuFFT) is not supported on the CPU backend; build with nvcc instead"
