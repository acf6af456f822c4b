#pragma once
__device__ inline int fifthOf(const int* p) { return p[4]; }
