// What CUDA's libraries without source have in common here: where the program sees a toolkit's header, it may
// include it, for the names of types and of errors; a call of what every use begins with is refused by name.
#pragma once
#pragma GCC system_header

#include "cuComplex.h"  // theirs would come from their own folder
#include "cuda_runtime.h"

// What the rewriter reads is compiled afterwards. Clang takes GCC's attribute on a first declaration only.
#if CUI_TK_PARSE
#define CUI_TK_REFUSED(library)
#elif defined(__clang__)
#define CUI_TK_REFUSED(library) \
  __attribute__((               \
      unavailable("cuinstrument: " library " is not supported on the CPU backend; build with nvcc")))
#else
#define CUI_TK_REFUSED(library) \
  __attribute__((error("cuinstrument: " library " is not supported on the CPU backend; build with nvcc")))
#endif
