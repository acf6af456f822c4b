#pragma once
__device__ inline int firstOf(const int* p) { return p[0]; }
