// cuSOLVER is not part of the CPU backend.
#pragma once

#error "cuinstrument: cusolverDn.h (cuSOLVER) is not supported on the CPU backend; build with nvcc instead"
