#pragma once
#include "forced_part.h"
__device__ inline int fourthOf(const int* p) { return p[3]; }
