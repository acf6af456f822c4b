// cuSOLVER is not part of the CPU backend: a program that calls it, or includes this without a toolkit's, is
// told so. -*- C++ -*-
#pragma once
#pragma GCC system_header

#ifdef __HOST_DEFINES_H__
#if __has_include_next(<cusolverDn.h>) && __has_include(<library_types.h>)
#include <library_types.h>

#include "cui_library.h"
// Ours go first.
#include_next <cusolverDn.h>
extern "C" {
CUI_TK_REFUSED("cuSOLVER") cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle);
}
#else
#error "cuinstrument: cusolverDn.h (cuSOLVER) is not supported on the CPU backend; build with nvcc"
#endif
#endif
