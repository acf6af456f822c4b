#pragma once
#include "architectures/older.h"
__device__ inline int old(int* p) { return older(p) + p[1]; }
