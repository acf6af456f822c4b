// A program whose macros are called as the containers' library and the forms might say.
// compile: -isystem library
// nvcc: no, the library's stand-in is a folder of this one
// expect: d(n); CUI_VECTOR(#, d);
#include <vectors.h>
#define vector 1
#define named 2
#define data 3
void wordsOfVectors(size_t n) {
  thrust::device_vector<float> d(n);
}
