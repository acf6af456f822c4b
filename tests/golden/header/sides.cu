// What only the host's side includes is looked for beside the header, too, although that is mirrored; a mirrored header that
// it includes first is the rewritten one there as well.
// expect: #include "<dir>/detail//sides_device.h"
// expect: #include "<dir>/detail//sides_host.h"
// expect: #include "<out>/sides.cu.d<dir>/detail//sides_of_all.h"
// expect: #if __has_include("sides_nowhere.h")
#include "detail/sides.h"
__global__ void ofBothSides(int* p) { p[1] = sixthOf(p); }
