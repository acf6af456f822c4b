// A missing header that was asked for before: GCC 12 lets it pass, and so does nvcc with it.
// cpu: no, GCC 13 does not let it pass
// nvcc: no, GCC 13 does not let it pass
// expect: CUI_ACCESS(#, p[0]) = 1;
#if __has_include(<header_that_is_nowhere>)
#define HAS_IT
#endif
#include <header_that_is_nowhere>
__global__ void absent(int* p) { p[0] = 1; }
