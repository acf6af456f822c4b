// EGL interoperability is not part of the CPU backend: a program that includes this is told so.
#pragma once

#ifdef __HOST_DEFINES_H__
#error "cuinstrument: cudaEGL.h (EGL interoperability) is not supported on the CPU backend; build with nvcc"
#endif
