// A header found through -I, in angle brackets, and one from the folder above.
// compile: -I detail
// nvcc: no, it needs -I
// expect: #include <<out>/angled.cu.d<dir>/detail//at.h>
// expect: #include "<out>/angled.cu.d<dir>//detail/../part.cuh"
#include <at.h>
#include "detail/../part.cuh"
void run(float* p) { clear<<<1, 1>>>(p); }
__global__ void second(float* p) { p[1] = at(p, 2); }
