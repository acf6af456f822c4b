#pragma once
__device__ inline int secondOf(const int* p) { return p[1]; }
