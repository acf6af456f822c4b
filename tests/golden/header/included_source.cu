// A source file included by another one.
// expect: CUI_ACCESS(#, p[i]) = 0;
#include "part.cuh"
void run(float* p) { clear<<<1, 1>>>(p); }
