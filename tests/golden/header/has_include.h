#pragma once
#if defined __has_include
#  if __has_include ("detail/plain.h") && !__has_include("not/there.h")
#    include "detail/plain.h"
#  endif
#endif
__device__ inline float found(const float* p) { return p[plain(1)]; }
