// cuSOLVER is not part of the CPU backend.
#pragma once

#error "cuinstrument: cusolverSp.h (cuSOLVER) is not supported on the CPU backend; build with nvcc instead"
