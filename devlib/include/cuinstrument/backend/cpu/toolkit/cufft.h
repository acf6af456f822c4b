// cuFFT is not part of the CPU backend: a program that calls it, or includes this without a toolkit's, is
// told so. -*- C++ -*-
#pragma once
#pragma GCC system_header

#ifdef __HOST_DEFINES_H__
#if __has_include_next(<cufft.h>) && __has_include(<library_types.h>)
#include <library_types.h>

#include "cui_library.h"
// Ours go first.
#include_next <cufft.h>
extern "C" {
CUI_TK_REFUSED("cuFFT") cufftResult cufftCreate(cufftHandle* plan);
CUI_TK_REFUSED("cuFFT") cufftResult cufftPlan1d(cufftHandle* plan, int nx, cufftType type, int batch);
CUI_TK_REFUSED("cuFFT") cufftResult cufftPlan2d(cufftHandle* plan, int nx, int ny, cufftType type);
CUI_TK_REFUSED("cuFFT") cufftResult cufftPlan3d(cufftHandle* plan, int nx, int ny, int nz, cufftType type);
CUI_TK_REFUSED("cuFFT")
cufftResult cufftPlanMany(cufftHandle* plan, int rank, int* n, int* inembed, int istride, int idist,
                          int* onembed, int ostride, int odist, cufftType type, int batch);
}
#else
#error "cuinstrument: cufft.h (cuFFT) is not supported on the CPU backend; build with nvcc"
#endif
#endif
