// A program with a unit that was rewritten, and with other code that allocates (library_calls.def); it wraps
// one of the functions itself. session_test.cpp reads the trace.
#include <cstddef>
#include <cstdio>

#include "cuda/library_launches.h"
#include "cuinstrument/host/abi.h"

using cui::library_calls::Extent;
using cui::library_calls::LaunchConfig;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming): the
// linker's names
extern "C" {
int cudaMalloc(void** pointer, std::size_t bytes);
int cudaMallocHost(void** pointer, std::size_t bytes);
int cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int flags);
int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height);
int cudaMallocAsync_ptsz(void** pointer, std::size_t bytes, void* stream);
int cudaFree(void* pointer);
int cudaFreeHost(void* pointer);
int cudaFreeAsync(void* pointer, void* stream);

int cudaLaunchKernel(const void* f, Extent grid, Extent block, void** a, std::size_t n, void* s);
int __cudaLaunchKernel_ptsz(const void* f, Extent grid, Extent block, void** a, std::size_t n, void* s);
int cudaLaunchKernelExC(const LaunchConfig* config, const void* f, void** a);
int cudaPeekAtLastError();
extern int launchesMade;

int ownCalls = 0;
int __real_cudaMallocHost(void** pointer, std::size_t bytes);
int __wrap_cudaMallocHost(void** pointer, std::size_t bytes) {
  ++ownCalls;
  return __real_cudaMallocHost(pointer, bytes);
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
}

namespace {

const cui::format::FileEntry files[] = {{"child.cu", "/src/child.cu", 1}};
const cui::format::CallEntry calls[] = {{"device_vector", "main", "held", "float", 4, 0, 7, 3}};
const cui::format::UnitTable unit = {cui::format::unitFormatVersion,
                                     5,
                                     "child.cu",
                                     "1",
                                     1,
                                     0,
                                     0,
                                     0,
                                     1,
                                     0,
                                     files,
                                     nullptr,
                                     nullptr,
                                     nullptr,
                                     calls,
                                     nullptr};

}  // namespace

int main() {
  void* memory = nullptr;
  cudaMalloc(&memory, 32);  // before the first unit is registered
  cuiRegisterUnit(CUI_ABI_VERSION, &unit);
  cudaMalloc(&memory, 256);
  cuiHolds(&unit, 0, cui::library_calls::number(memory), 200);  // a container that the program names
  cudaFree(memory);
  cudaFree(nullptr);
  if (cudaMalloc(&memory, 0) == 0) return 2;

  cuiBeginInnerCalls();
  cudaMalloc(&memory, 512);
  cuiBeginInnerCalls();
  cuiEndInnerCalls();
  cudaMalloc(&memory, 512);
  cuiEndInnerCalls();

  std::size_t pitch = 0;
  cudaMallocPitch(&memory, &pitch, 100, 2);
  cudaFree(memory);
  cudaMallocHost(&memory, 32);
  if (ownCalls != 1) return 3;
  cudaHostAlloc(&memory, 64, 0);
  cudaFreeHost(memory);
  cudaMallocAsync_ptsz(&memory, 128, nullptr);
  cudaFreeAsync(memory, nullptr);

  void* const stream = reinterpret_cast<void*>(0x70);
  cudaLaunchKernel("_Z5scaleIfLi32EEvPfPFviE", {4, 3, 2}, {64, 1, 1}, nullptr, 16, stream);
  __cudaLaunchKernel_ptsz("_ZN3app4fillEPi", {1, 1, 1}, {32, 1, 1}, nullptr, 0, stream);
  const LaunchConfig config = {{5, 1, 1}, {128, 1, 1}, 0, reinterpret_cast<void*>(1)};
  cudaLaunchKernelExC(&config, "kernel_in_c", nullptr);
  cudaLaunchKernel("!", {6, 1, 1}, {32, 1, 1}, nullptr, 0, nullptr);  // without a name, and without an error
  if (cudaPeekAtLastError() != 0) return 4;
  constexpr int invalidConfiguration = 9;
  if (cudaLaunchKernel("kernel_in_c", {0, 1, 1}, {32, 1, 1}, nullptr, 0, nullptr) != invalidConfiguration ||
      cudaPeekAtLastError() != invalidConfiguration)
    return 5;
  cuiSetLaunchesUnderWay(1);  // as around a launch that was rewritten
  cudaLaunchKernel("kernel_in_c", {7, 1, 1}, {32, 1, 1}, nullptr, 0, nullptr);
  cuiSetLaunchesUnderWay(0);
  if (launchesMade != 6) return 6;
  std::puts("done");
  return 0;
}
