#pragma once
__device__ inline int both(int* p) { return p[3]; }
