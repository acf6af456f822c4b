// Runtime functions that the CPU backend lacks. They compile with any arguments; called, they print one
// line that names them and return cudaErrorNotSupported. One row each in unsupported_api.def.
#pragma once
#pragma GCC system_header

#include "driver_types.h"

/// Prints "cuinstrument: <function> is not supported on the CPU backend" once per function, sets the
/// last error and returns cudaErrorNotSupported.
extern "C" cudaError_t cuiUnsupported(const char* function);

#define CUI_TK_UNSUPPORTED(name)                 \
  template <class... Arguments>                  \
  CUI_TK_HOST cudaError_t name(Arguments&&...) { \
    return ::cuiUnsupported(#name);              \
  }
#include "unsupported_api.def"
#undef CUI_TK_UNSUPPORTED
