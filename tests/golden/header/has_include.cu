// Names in __has_include get the folder or the mirror that those in #include get, with a blank before them or not.
// expect: #include "<out>/has_include.cu.d<dir>//has_include.h"
// expect: #  if __has_include ("<dir>//detail/next.h") && !__has_include("not/there.h")
#include "has_include.h"
__global__ void runFound(float* p) {
  p[0] = found(p);
}
