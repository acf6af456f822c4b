// The wrapped runtime calls: CUI_API(n, cudaMalloc)(&p, bytes) calls Calls<unit>(n).cudaMalloc, a member
// function with the overloads, default arguments and template parameters of the original, which it calls
// first (or, to free, last) and then reports. Results and last error are the original's. A unit has one copy
// of each function that it uses, for all of its calls: with one for each call nvcc took 4 to 6 ms more a
// call.
//
// One header serves both backends: it uses the runtime API only, and these hooks (CUDA: host_side.h):
//   prepareDevice()                     before a call, so that kernels nobody announced are recorded too
//   afterSynchronize(result, deviceWide)
//   beforeReset()
//   streamIdentity(stream)
// Members take their names through the preprocessor on purpose: with per-thread default streams the
// toolkit renames cudaMemcpy and others by macros, here and at the call alike.
#pragma once

#include <cstddef>

#include "cuinstrument/device/array.h"
#include "cuinstrument/format/unit.h"
#include "cuinstrument/host/abi.h"

namespace cui {
namespace api {
inline namespace CUI_HOST_SIDE {

#if defined(CUI_BACKEND_CUDA)
using backend::afterSynchronize;
using backend::beforeReset;
using backend::prepareDevice;
inline uint64_t streamIdentity(cudaStream_t stream) {
  return backend::streamIdentity(backend::streamOf(stream));
}
#else
inline void prepareDevice() {}
inline void afterSynchronize(cudaError_t, bool) {
  cuiFlush();
}
inline void beforeReset() {
  cuiFlush();
}
inline uint64_t streamIdentity(cudaStream_t stream) {
  return reinterpret_cast<uint64_t>(stream);
}
#endif

/// Does not touch the last error: a device index is always known.
inline int32_t device() {
  int index = 0;
  return ::cudaGetDevice(&index) == cudaSuccess ? index : 0;
}
inline uint64_t number(const volatile void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// What every wrapper knows about its call.
struct Site {
  const format::UnitTable* unit;
  uint32_t call;
  const char* name;
};

// What follows each call, once in a file: compilers would take their time over a copy for each.
#define CUI_ONE_COPY __attribute__((noinline))

/// The address may be that of volatile memory: a flag in memory that host and device share.
CUI_ONE_COPY inline cudaError_t allocated(const Site& site, cudaError_t result, const volatile void* address,
                                          std::size_t bytes, std::size_t pitch, format::Space space) {
  if (result == cudaSuccess && cuiRecording()) {
    CuiAllocation event = {};
    event.unit = site.unit;
    event.callEntry = site.call;
    event.api = site.name;
    event.address = number(const_cast<const void*>(address));
    event.bytes = bytes;
    event.pitch = pitch;
    event.device = device();
    event.space = space;
    event.timeNs = cuiNow();
    cuiAllocated(&event);
  }
  return result;
}

/// The original's calls in turn, as the linker sends them through `__wrap_…` (host/library_calls.def).
class InnerCalls {
 public:
  InnerCalls() { cuiBeginInnerCalls(); }
  ~InnerCalls() { cuiEndInnerCalls(); }
  InnerCalls(const InnerCalls&) = delete;
  InnerCalls& operator=(const InnerCalls&) = delete;
};

/// Before the call: once it has returned, another thread may own the address.
CUI_ONE_COPY inline void freeing(const char* name, const void* address) {
  if (address != nullptr && cuiRecording()) cuiFreed(number(address), name, cuiNow());
}

/// Where to, where from, how much: what a memory operation is about.
struct Transfer {
  int direction;  ///< cudaMemcpyKind; -1: memset
  uint64_t destination, source, bytes;
  cudaStream_t stream;
};
constexpr int memsetDirection = -1;

CUI_ONE_COPY inline cudaError_t moved(const Site& site, cudaError_t result, const Transfer& transfer,
                                      int64_t beginNs) {
  if (cuiRecording()) {
    CuiMemoryOperation event = {};
    event.unit = site.unit;
    event.callEntry = site.call;
    event.api = site.name;
    event.direction = transfer.direction;
    event.destination = transfer.destination;
    event.source = transfer.source;
    event.bytes = transfer.bytes;
    event.device = device();
    event.stream = streamIdentity(transfer.stream);
    event.beginNs = beginNs;
    event.endNs = cuiNow();
    event.error = static_cast<int>(result);
    cuiMemoryOperation(&event);
  }
  return result;
}

CUI_ONE_COPY inline cudaError_t synchronized(const Site& site, cudaError_t result, cudaStream_t stream,
                                             bool deviceWide, int64_t beginNs) {
  if (cuiRecording()) {
    CuiSynchronization event = {};
    event.unit = site.unit;
    event.callEntry = site.call;
    event.api = site.name;
    event.device = device();
    event.stream = streamIdentity(stream);
    event.beginNs = beginNs;
    event.endNs = cuiNow();
    event.error = static_cast<int>(result);
    cuiSynchronization(&event);
    afterSynchronize(result, deviceWide);
  }
  return result;
}

}  // namespace CUI_HOST_SIDE

template <class ThisUnit>
class Calls {
  Site site(const char* name) const { return Site{&ThisUnit::table(), call_, name}; }
  /// The address of a variable named in cudaMemcpyTo/FromSymbol is in the trace by name already.
  static constexpr uint64_t bySymbol = 0;

  unsigned int call_;  ///< row of the unit's table of calls

 public:
  using Unit = ThisUnit;
  CUI_HD explicit constexpr Calls(unsigned int call) : call_(call) {}

  // --- allocate
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMalloc(T** pointer, std::size_t bytes) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMalloc(pointer, bytes);
    return allocated(site("cudaMalloc"), result, *pointer, bytes, 0, format::Space::global);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocManaged(T** pointer, std::size_t bytes,
                                             unsigned int flags = cudaMemAttachGlobal) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocManaged(pointer, bytes, flags);
    return allocated(site("cudaMallocManaged"), result, *pointer, bytes, 0, format::Space::global);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocHost(T** pointer, std::size_t bytes) const {
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocHost(pointer, bytes);
    return allocated(site("cudaMallocHost"), result, *pointer, bytes, 0, format::Space::generic);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocHost(T** pointer, std::size_t bytes, unsigned int flags) const {
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocHost(pointer, bytes, flags);
    return allocated(site("cudaMallocHost"), result, *pointer, bytes, 0, format::Space::generic);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaHostAlloc(T** pointer, std::size_t bytes, unsigned int flags) const {
    const InnerCalls inner;
    const cudaError_t result = ::cudaHostAlloc(pointer, bytes, flags);
    return allocated(site("cudaHostAlloc"), result, *pointer, bytes, 0, format::Space::generic);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaStream_t stream) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocAsync(pointer, bytes, stream);
    return allocated(site("cudaMallocAsync"), result, *pointer, bytes, 0, format::Space::global);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                           cudaStream_t stream) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result =
        ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
    return allocated(site("cudaMallocAsync"), result, *pointer, bytes, 0, format::Space::global);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                                           std::size_t height) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocPitch(pointer, pitch, width, height);
    return allocated(site("cudaMallocPitch"), result, *pointer, *pitch * height, *pitch,
                     format::Space::global);
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMallocFromPoolAsync(T** pointer, std::size_t bytes, cudaMemPool_t pool,
                                                   cudaStream_t stream) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result =
        ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), bytes, pool, stream);
    return allocated(site("cudaMallocFromPoolAsync"), result, *pointer, bytes, 0, format::Space::global);
  }
  CUI_ONE_COPY cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMalloc3D(pointer, extent);
    return allocated(site("cudaMalloc3D"), result, pointer->ptr,
                     pointer->pitch * extent.height * extent.depth, pointer->pitch, format::Space::global);
  }
  /// Not allocated here, but from here on the device may use it.
  CUI_ONE_COPY cudaError_t cudaHostRegister(void* pointer, std::size_t bytes, unsigned int flags) const {
    const InnerCalls inner;
    const cudaError_t result = ::cudaHostRegister(pointer, bytes, flags);
    return allocated(site("cudaHostRegister"), result, pointer, bytes, 0, format::Space::generic);
  }
  CUI_ONE_COPY cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* texels,
                                           std::size_t width, std::size_t height = 0,
                                           unsigned int flags = 0) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocArray(array, texels, width, height, flags);
    if (result != cudaSuccess) return result;
    return allocated(site("cudaMallocArray"), result, arrayAddress(*array),
                     arrayBytes(*texels, cudaExtent{width, height, 0}), 0, format::Space::texture);
  }
  CUI_ONE_COPY cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* texels,
                                             cudaExtent extent, unsigned int flags = 0) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMalloc3DArray(array, texels, extent, flags);
    if (result != cudaSuccess) return result;
    return allocated(site("cudaMalloc3DArray"), result, arrayAddress(*array), arrayBytes(*texels, extent), 0,
                     format::Space::texture);
  }
  CUI_ONE_COPY cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                                    const cudaChannelFormatDesc* texels, cudaExtent extent,
                                                    unsigned int levels, unsigned int flags = 0) const {
    prepareDevice();
    const InnerCalls inner;
    const cudaError_t result = ::cudaMallocMipmappedArray(array, texels, extent, levels, flags);
    if (result != cudaSuccess) return result;
    const Pyramid pyramid = pyramidOf(*array, *texels, extent, levels, flags);
    return allocated(site("cudaMallocMipmappedArray"), result, pyramid.address, pyramid.bytes, 0,
                     format::Space::texture);
  }

  // --- free
  CUI_ONE_COPY cudaError_t cudaFreeArray(cudaArray_t array) const {
    if (array != nullptr) freeing("cudaFreeArray", arrayAddress(array));
    const InnerCalls inner;
    return ::cudaFreeArray(array);
  }
  CUI_ONE_COPY cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) const {
    if (array != nullptr) freeing("cudaFreeMipmappedArray", pyramidAddress(array));
    const InnerCalls inner;
    return ::cudaFreeMipmappedArray(array);
  }
  CUI_ONE_COPY cudaError_t cudaHostUnregister(void* pointer) const {
    freeing("cudaHostUnregister", pointer);
    const InnerCalls inner;
    return ::cudaHostUnregister(pointer);
  }
  CUI_ONE_COPY cudaError_t cudaFree(void* pointer) const {
    freeing("cudaFree", pointer);
    const InnerCalls inner;
    return ::cudaFree(pointer);
  }
  CUI_ONE_COPY cudaError_t cudaFreeHost(void* pointer) const {
    freeing("cudaFreeHost", pointer);
    const InnerCalls inner;
    return ::cudaFreeHost(pointer);
  }
  CUI_ONE_COPY cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) const {
    freeing("cudaFreeAsync", pointer);
    const InnerCalls inner;
    return ::cudaFreeAsync(pointer, stream);
  }

  // --- memory
  CUI_ONE_COPY cudaError_t cudaMemcpy(void* dst, const void* src, std::size_t bytes,
                                      cudaMemcpyKind kind) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemcpy(dst, src, bytes, kind);
    moved(site("cudaMemcpy"), result, Transfer{kind, number(dst), number(src), bytes, nullptr}, begin);
    afterSynchronize(result, false);
    return result;
  }
  CUI_ONE_COPY cudaError_t cudaMemcpyAsync(void* dst, const void* src, std::size_t bytes, cudaMemcpyKind kind,
                                           cudaStream_t stream = nullptr) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemcpyAsync(dst, src, bytes, kind, stream);
    return moved(site("cudaMemcpyAsync"), result, Transfer{kind, number(dst), number(src), bytes, stream},
                 begin);
  }
  CUI_ONE_COPY cudaError_t cudaMemcpy2D(void* dst, std::size_t dstPitch, const void* src,
                                        std::size_t srcPitch, std::size_t width, std::size_t height,
                                        cudaMemcpyKind kind) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemcpy2D(dst, dstPitch, src, srcPitch, width, height, kind);
    moved(site("cudaMemcpy2D"), result, Transfer{kind, number(dst), number(src), width * height, nullptr},
          begin);
    afterSynchronize(result, false);
    return result;
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* src, std::size_t bytes,
                                              std::size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemcpyToSymbol(symbol, src, bytes, offset, kind);
    moved(site("cudaMemcpyToSymbol"), result, Transfer{kind, bySymbol, number(src), bytes, nullptr}, begin);
    afterSynchronize(result, false);
    return result;
  }
  template <class T>
  CUI_ONE_COPY cudaError_t cudaMemcpyFromSymbol(void* dst, const T& symbol, std::size_t bytes,
                                                std::size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemcpyFromSymbol(dst, symbol, bytes, offset, kind);
    moved(site("cudaMemcpyFromSymbol"), result, Transfer{kind, number(dst), bySymbol, bytes, nullptr}, begin);
    afterSynchronize(result, false);
    return result;
  }
#if defined(CUI_BACKEND_CUDA)
  // A symbol by its untyped address.
  CUI_ONE_COPY cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, std::size_t bytes,
                                              std::size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) const {
    return cudaMemcpyToSymbol<char>(*static_cast<const char*>(symbol), src, bytes, offset, kind);
  }
  CUI_ONE_COPY cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, std::size_t bytes,
                                                std::size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) const {
    return cudaMemcpyFromSymbol<char>(dst, *static_cast<const char*>(symbol), bytes, offset, kind);
  }
#endif
  CUI_ONE_COPY cudaError_t cudaMemset(void* dst, int value, std::size_t bytes) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemset(dst, value, bytes);
    return moved(site("cudaMemset"), result, Transfer{memsetDirection, number(dst), 0, bytes, nullptr},
                 begin);
  }
  CUI_ONE_COPY cudaError_t cudaMemsetAsync(void* dst, int value, std::size_t bytes,
                                           cudaStream_t stream = nullptr) const {
    prepareDevice();
    const int64_t begin = cuiNow();
    const cudaError_t result = ::cudaMemsetAsync(dst, value, bytes, stream);
    return moved(site("cudaMemsetAsync"), result, Transfer{memsetDirection, number(dst), 0, bytes, stream},
                 begin);
  }

  // --- synchronize
  CUI_ONE_COPY cudaError_t cudaDeviceSynchronize() const {
    const int64_t begin = cuiNow();
    return synchronized(site("cudaDeviceSynchronize"), ::cudaDeviceSynchronize(), nullptr, true, begin);
  }
  CUI_ONE_COPY cudaError_t cudaStreamSynchronize(cudaStream_t stream) const {
    const int64_t begin = cuiNow();
    return synchronized(site("cudaStreamSynchronize"), ::cudaStreamSynchronize(stream), stream, false, begin);
  }
  CUI_ONE_COPY cudaError_t cudaEventSynchronize(cudaEvent_t event) const {
    const int64_t begin = cuiNow();
    return synchronized(site("cudaEventSynchronize"), ::cudaEventSynchronize(event), nullptr, false, begin);
  }
  CUI_ONE_COPY cudaError_t cudaDeviceReset() const {
    beforeReset();
    return ::cudaDeviceReset();
  }

  // In a template, nvcc leaves the call of a function that may be another one, found by its arguments, until
  // it is instantiated, and one of overloaded members, but looks at the arguments for a single member: each
  // has a second.
  struct Nothing;
#define CUI_API_FUNCTION(name, category) cudaError_t name(Nothing&) const;
#include "cuinstrument/device/api.def"
#undef CUI_API_FUNCTION
};

}  // namespace api
}  // namespace cui

// Of what the macros name only this is looked up after the user's own #defines.
#define CUI_API(n, name) ::cui::CuiCall(n).name
/// Behind a `::` of the user's.
#define CUI_GLOBAL_API(n, name) cui::CuiCall(n).name
