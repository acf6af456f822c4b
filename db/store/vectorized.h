// Functions that a processor with AVX2 runs in a third less time: compiled twice, chosen when the program is
// loaded.
#pragma once

#include <cstdlib>  // __GLIBC__

// The choice is made before a sanitizer's run-time library is ready for it.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && \
    __GNUC__ >= 12 && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CUI_DB_VECTORIZED [[gnu::target_clones("default", "arch=x86-64-v3"), gnu::flatten]]
#else
#define CUI_DB_VECTORIZED
#endif
