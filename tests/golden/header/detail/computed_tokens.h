#pragma once
__device__ inline int thirdOf(const int* p) { return p[2]; }
