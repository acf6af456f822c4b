// What the runtime's files share: entering and leaving an API call.
#pragma once

#include "cuinstrument/backend/cpu/toolkit/cuda_runtime_api.h"

#include "../exec/error_state.h"

namespace cui::cpu {

/// Starts an API call: makes the device known to the trace (once per process) and returns the sticky
/// error, which every call after it repeats.
cudaError_t enter();

/// Ends an API call: an error becomes the thread's last error. Returns `error`.
cudaError_t leave(cudaError_t error);

/// The value of a device attribute; false for one that CUDA does not know.
bool deviceAttribute(cudaDeviceAttr attribute, int& value);

/// One line on stderr, once per process and function; returns cudaErrorNotSupported through leave().
cudaError_t notSupported(const char* what);

/// The same for device code: ends the grid with cudaErrorLaunchFailure.
extern "C" void cuiUnsupportedInKernel(const char* what);

/// Whether `stream` is a stream of this process (the default streams included).
bool isStream(cudaStream_t stream);

/// Whether cudaGetSymbolAddress has given out this address, or one before it in the same variable.
bool isKnownSymbol(const volatile void* pointer);

}  // namespace cui::cpu
