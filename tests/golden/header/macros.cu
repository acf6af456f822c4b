// A macro with an access in a header, expanded on lines of the header and of the main file.
// expect: #define PIXEL(i) CUI_MACRO_ACCESS(#, image[i])
#include "macros.h"
__global__ void run(int* image) {
  PIXEL(0) =
      PIXEL(1);
  clearPixel(image);
}
