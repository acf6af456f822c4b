// cuDNN is not part of the CPU backend.
#pragma once

#error "cuinstrument: cudnn.h (cuDNN) is not supported on the CPU backend; build with nvcc instead"
