// cuSPARSE is not part of the CPU backend: a program that calls it, or includes this without a toolkit's, is
// told so. -*- C++ -*-
#pragma once
#pragma GCC system_header

#ifdef __HOST_DEFINES_H__
#if __has_include_next(<cusparse.h>) && __has_include(<library_types.h>)
#include <library_types.h>

#include "cui_library.h"
// Ours go first.
#include_next <cusparse.h>
extern "C" {
CUI_TK_REFUSED("cuSPARSE") cusparseStatus_t cusparseCreate(cusparseHandle_t* handle);
}
#else
#error "cuinstrument: cusparse.h (cuSPARSE) is not supported on the CPU backend; build with nvcc"
#endif
#endif
