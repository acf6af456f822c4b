#pragma once
#include "detail/at.h"
#include "detail/plain.h"

__device__ inline float first(const float* p) { return at(p, 0); }
