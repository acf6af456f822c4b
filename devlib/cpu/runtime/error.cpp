// Error state and the names and texts of error codes.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>

#include "cuinstrument/backend/cpu/toolkit/unsupported_api.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

thread_local int lastError = cudaSuccess;
std::atomic<int> sticky{cudaSuccess};

}  // namespace

void setLastError(int error) {
  lastError = error;
}

void setStickyError(int error) {
  int none = cudaSuccess;
  sticky.compare_exchange_strong(none, error);
}

int stickyError() {
  return sticky.load();
}

cudaError_t leave(cudaError_t error) {
  if (error != cudaSuccess) lastError = error;
  return error;
}

cudaError_t notSupported(const char* what) {
  static std::mutex mutex;
  static std::set<std::string> told;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (told.insert(what).second)
      std::fprintf(stderr, "cuinstrument: %s is not supported on the CPU backend\n", what);
  }
  return leave(cudaErrorNotSupported);
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaGetLastError() {
  if (const int error = stickyError()) return static_cast<cudaError_t>(error);
  const int error = lastError;
  lastError = cudaSuccess;
  return static_cast<cudaError_t>(error);
}

cudaError_t cudaPeekAtLastError() {
  if (const int error = stickyError()) return static_cast<cudaError_t>(error);
  return static_cast<cudaError_t>(lastError);
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define CUI_TK_ERROR(name, value, text) \
  case value:                           \
    return #name;
#include "cuinstrument/backend/cpu/toolkit/cuda_error.def"
#undef CUI_TK_ERROR
    default:
      return "unrecognized error code";
  }
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (static_cast<int>(error)) {
#define CUI_TK_ERROR(name, value, text) \
  case value:                           \
    return text;
#include "cuinstrument/backend/cpu/toolkit/cuda_error.def"
#undef CUI_TK_ERROR
    default:
      return "unrecognized error code";
  }
}

extern "C" void cuiSetLastError(cudaError_t error) {
  setLastError(error);
}

extern "C" [[noreturn]] void cuiTrap();
extern "C" void cuiUnsupportedInKernel(const char* what) {
  notSupported(what);
  cuiTrap();
}

cudaError_t cuiUnsupported(const char* function) {
  if (const cudaError_t error = enter()) return leave(error);
  return notSupported(function);
}
