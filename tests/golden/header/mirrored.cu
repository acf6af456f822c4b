// A user's header with device code is mirrored beside the output, and so is one that includes it; the include
// names get the prefix of the mirror, that of a header without device code its own folder.
// expect: #include "<out>/mirrored.cu.d<dir>//mirrored.h"
// expect: #line 1 "mirrored.h" /* cuinstrument: mirrored, format 1 */
// expect: return CUI_ACCESS(#, p[i]);
#include "mirrored.h"
__global__ void run(float* p) {
  p[0] = first(p) + plain(1);
}
