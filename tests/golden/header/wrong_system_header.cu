// A system header that Clang rejects something in by itself, and GCC and nvcc do not: Boost's MPL before 1.81. There
// is no warning, and what the program has is instrumented.
// compile: -isystem library
// cpu: no, Clang refuses it there
// nvcc: no, the library is a folder of this one
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, p[1]);
// expect: Clang rejects it: in-class initializer for static data member is not a constant expression
#include <values_of_enumerations.h>
__global__ void behind(int* p) {
  p[0] = p[1];
}
