// cuSPARSE is not part of the CPU backend.
#pragma once

#error "cuinstrument: cusparse.h (cuSPARSE) is not supported on the CPU backend; build with nvcc instead"
