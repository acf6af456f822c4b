#pragma once
__device__ inline int eighthOf(const int* p) { return p[7]; }
