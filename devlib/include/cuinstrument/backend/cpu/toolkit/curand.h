// cuRAND is not part of the CPU backend.
#pragma once

#error "cuinstrument: curand.h (cuRAND) is not supported on the CPU backend; build with nvcc instead"
