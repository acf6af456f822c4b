#pragma once
__device__ inline int lastOf(const int* p) { return p[1]; }
