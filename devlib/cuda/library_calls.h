// What library_calls.cpp and library_calls_per_thread.cpp share: wrappers of the CUDA runtime's functions as
// the linker sees them. No toolkit is needed: streams and pools are the pointers they are, and an error is an
// int.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuinstrument/host/abi.h"

extern "C" {
int cudaGetDevice(int* device);
}

namespace cui::library_calls {

constexpr int success = 0;  // cudaSuccess
using format::Space;

inline std::uint64_t number(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

inline bool isRecorded() {
  return cuiRecording() != 0 && cuiInnerCall() == 0;
}

/// What is done within the original has no row of its own.
class InnerCalls {
 public:
  InnerCalls() { cuiBeginInnerCalls(); }
  ~InnerCalls() { cuiEndInnerCalls(); }
  InnerCalls(const InnerCalls&) = delete;
  InnerCalls& operator=(const InnerCalls&) = delete;
};

template <class Function, class... Arguments>
int call(Function& function, Arguments... arguments) {
  const InnerCalls inner;
  return function(arguments...);
}

inline int allocated(const char* api, int result, void* const* pointer, std::size_t bytes, std::size_t pitch,
                     Space space) {
  if (result != success || *pointer == nullptr || !isRecorded()) return result;
  CuiAllocation event = {};  // of no unit: the source shows no place
  event.api = api;
  event.address = number(*pointer);
  event.bytes = bytes;
  event.pitch = pitch;
  if (cudaGetDevice(&event.device) != success) event.device = 0;
  event.space = space;
  event.timeNs = cuiNow();
  cuiAllocated(&event);
  return result;
}

/// Before the call: once it has returned, another thread may own the address.
inline void freeing(const char* api, const void* address) {
  if (address != nullptr && isRecorded()) cuiFreed(number(address), api, cuiNow());
}

}  // namespace cui::library_calls

// Weak, so that a program that wraps one of them itself keeps its own.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the
// linker's names
#define CUI_ALLOCATE(name, api, space, parameters, ...)                                                      \
  extern "C" int __real_##name parameters;                                                                   \
  extern "C" [[gnu::weak]] int __wrap_##name parameters {                                                    \
    return cui::library_calls::allocated(api, cui::library_calls::call(__real_##name, __VA_ARGS__), pointer, \
                                         bytes, 0, space);                                                   \
  }
#define CUI_FREE(name, api, parameters, ...)                     \
  extern "C" int __real_##name parameters;                       \
  extern "C" [[gnu::weak]] int __wrap_##name parameters {        \
    cui::library_calls::freeing(api, pointer);                   \
    return cui::library_calls::call(__real_##name, __VA_ARGS__); \
  }
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
