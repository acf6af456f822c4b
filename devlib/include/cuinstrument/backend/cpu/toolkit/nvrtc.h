// NVRTC is not part of the CPU backend.
#pragma once

#error "cuinstrument: nvrtc.h (NVRTC) is not supported on the CPU backend; build with nvcc instead"
