// A macro that the header and the source define in the same words: it is written alike in both, or a compiler
// would warn that it is another. Which site an access is, the line says.
// compile: -Werror
// expect: #define AT(i) CUI_MACRO_ACCESS(#, data[i])
// expect: #define AT(i)     CUI_MACRO_ACCESS(#, data[i])   // as in the source
// expect: #define BARRIER CUI_BARRIER(__syncthreads())
#include "defined_alike.h"
#define AT(i) data[i]
#define BARRIER __syncthreads()
#define SUM(a, b) (a[0] + b[0])
__global__ void run(float* data, int i) {
  AT(i) =
      AT(i + 1);
  BARRIER;
  clear(data, i);
  data[2] = SUM(data, data);
}
#undef AT
#define AT(i) data[i]
__global__ void again(float* data, int i) {
  AT(i) = 1;
}
#undef BARRIER
#define BARRIER return
__global__ void other(float* data) {
  data[3] = SUM(data, data);
  BARRIER;
}
