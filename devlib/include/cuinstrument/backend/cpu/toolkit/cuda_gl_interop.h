// OpenGL interoperability is not part of the CPU backend.
#pragma once

#error "cuinstrument: cuda_gl_interop.h (OpenGL interoperability) is not supported on the CPU backend; build with nvcc instead"
