// Headers that only one of a line's architectures includes are read for it, and instrumented; so is one that both do
// from different places.
// compile: -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 -I .
// cpu: no, an option of nvcc's
// nvcc: no, it needs -I
// expect: return older(p) + CUI_ACCESS(#, p[1]);
// expect: return CUI_ACCESS(#, p[2]);
// expect: return CUI_ACCESS(#, p[3]);
// expect: return p[9];
#if __CUDA_ARCH__ >= 800
#include "architectures/both.h"
#define OLD(p) 0
#else
#include "architectures/old.h"
#include <architectures/both.h>
#define OLD(p) old(p)
#endif
__global__ void headers(int* p) { p[0] = OLD(p) + both(p); }
