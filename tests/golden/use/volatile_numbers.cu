// A volatile __half is copied by its own operators: one load, one store.
// expect: CUI_ACCESS(#, to[0]) = CUI_ACCESS(#, from[1]);
// expect: const __half x = CUI_ACCESS(#, from[2]);
// expect: CUI_ACCESS(#, to[1]) = x;
// expect: CUI_ACCESS(#, plain[0]) = 1.5f;
// expect: store, generic, instrumented, 2, 0, "volatileNumbers", "to[0]"
// expect: load, generic, instrumented, 2, 0, "volatileNumbers", "from[1]"
// expect: load, generic, instrumented, 2, 0, "volatileNumbers", "from[2]"
// expect: store, generic, instrumented, 2, 0, "volatileNumbers", "plain[0]"
// cpu: no, its __half has no volatile operators
#include <cuda_fp16.h>
__global__ void volatileNumbers(volatile __half* to, const volatile __half* from, __half* plain) {
  to[0] = from[1];
  const __half x = from[2];
  to[1] = x;
  plain[0] = 1.5f;
}
