#pragma once
#if defined __has_include
#  if __has_include ("detail/next.h") && !__has_include("not/there.h")
#    include "detail/next.h"
#  endif
#endif
__device__ inline float found(const float* p) { return p[next(1)]; }
