// EGL interoperability is not part of the CPU backend.
#pragma once

#error "cuinstrument: cudaEGL.h (EGL interoperability) is not supported on the CPU backend; build with nvcc instead"
