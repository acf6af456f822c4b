// Allocation of device and managed memory, memory pools, and questions about pointers.
#include <atomic>
#include <limits>

#include "address_space.h"
#include "devices.h"
#include "graph.h"
#include "interprocess.h"
#include "locate.h"
#include "runtime.h"

using namespace cui::cpu;

namespace {

/// Rows of cudaMallocPitch and cudaMalloc3D start at multiples of this, as on current GPUs.
constexpr std::size_t pitchBytes = 512;

cudaError_t allocateDevice(void** pointer, std::size_t bytes) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr) return leave(cudaErrorInvalidValue);
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  const std::uintptr_t address = addressSpace().allocate(bytes, MemoryKind::device, 0);
  if (address == 0) return leave(cudaErrorMemoryAllocation);
  *pointer = pointerTo(address);
  return cudaSuccess;
}

cudaError_t freeDevice(void* pointer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr) return cudaSuccess;
  if (!addressSpace().free(reinterpret_cast<std::uintptr_t>(pointer), MemoryKind::device,
                           MemoryKind::managed))
    return leave(cudaErrorInvalidValue);
  return cudaSuccess;
}

/// A pool keeps what is freed up to this; ours keeps nothing, and says what it was told.
std::atomic<unsigned long long> releaseThreshold{0};

/// The pitch for rows of `width` bytes and the bytes of `rows` of them; false if that overflows.
bool pitched(std::size_t width, std::size_t rows, std::size_t& pitch, std::size_t& bytes) {
  if (width > std::numeric_limits<std::size_t>::max() - pitchBytes) return false;
  pitch = (width + pitchBytes - 1) / pitchBytes * pitchBytes;
  return !__builtin_mul_overflow(pitch, rows, &bytes);
}

/// The one memory pool. It holds nothing back, so its numbers follow the allocations directly.
cudaMemPool_t onlyPool() {
  return static_cast<cudaMemPool_t>(pointerTo(0x10));
}

}  // namespace

bool cui::cpu::isPool(cudaMemPool_t pool) {
  return pool == onlyPool();
}

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  return allocateDevice(pointer, bytes);
}

cudaError_t cudaFree(void* pointer) {
  return freeDevice(pointer);
}

cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pointer == nullptr || bytes == 0 || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost))
    return leave(cudaErrorInvalidValue);
  const std::uintptr_t address = addressSpace().allocate(bytes, MemoryKind::managed, flags);
  if (address == 0) return leave(cudaErrorMemoryAllocation);
  *pointer = pointerTo(address);
  return cudaSuccess;
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  if (pointer == nullptr || pitch == nullptr) return leave(cudaErrorInvalidValue);
  std::size_t bytes = 0;
  if (!pitched(width, height, *pitch, bytes)) return leave(cudaErrorMemoryAllocation);
  return allocateDevice(pointer, bytes);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr* result, struct cudaExtent extent) {
  if (result == nullptr) return leave(cudaErrorInvalidValue);
  std::size_t rows = 0, bytes = 0;
  if (__builtin_mul_overflow(extent.height, extent.depth, &rows) ||
      !pitched(extent.width, rows, result->pitch, bytes))
    return leave(cudaErrorMemoryAllocation);
  result->xsize = extent.width;
  result->ysize = extent.height;
  return allocateDevice(&result->ptr, bytes);
}

// --- stream-ordered allocation: in order because everything is

cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (isCapturing(stream)) return captureAllocation(stream, pointer, bytes);
  return allocateDevice(pointer, bytes);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (pointer == nullptr) return leave(cudaErrorInvalidValue);
  if (isCapturing(stream)) return captureFree(stream, pointer);
  if (closeShared(pointer)) return cudaSuccess;  // of another process's pool
  return freeDevice(pointer);
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  if (pool != onlyPool()) return leave(cudaErrorInvalidValue);
  return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const struct cudaMemPoolProps* properties) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pool == nullptr || properties == nullptr) return leave(cudaErrorInvalidValue);
  if ((properties->handleTypes & ~cudaMemHandleTypePosixFileDescriptor) != 0)
    return notSupported("cudaMemPoolCreate with a shareable handle");
  *pool = onlyPool();
  return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(pool == onlyPool() ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(pool == onlyPool() ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pool != onlyPool() || value == nullptr) return leave(cudaErrorInvalidValue);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      releaseThreshold = *static_cast<unsigned long long*>(value);
      break;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:  // can only be reset
      if (*static_cast<unsigned long long*>(value) != 0) return leave(cudaErrorInvalidValue);
      addressSpace().resetDeviceHigh();
      break;
    default:
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
  if (const cudaError_t error = enter()) return leave(error);
  if (pool != onlyPool() || value == nullptr) return leave(cudaErrorInvalidValue);
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
      *static_cast<int*>(value) = 1;
      return cudaSuccess;
    case cudaMemPoolAttrReleaseThreshold:
      *static_cast<unsigned long long*>(value) = releaseThreshold;
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh:
      *static_cast<unsigned long long*>(value) = addressSpace().deviceBytesHigh();
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent:
      *static_cast<unsigned long long*>(value) =
          addressSpace().deviceBytesTotal() - addressSpace().deviceBytesFree();
      return cudaSuccess;
    default:
      return leave(cudaErrorInvalidValue);
  }
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* list, size_t count) {
  if (const cudaError_t error = enter()) return leave(error);
  return leave(pool == onlyPool() && (list != nullptr || count == 0) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags* flags, cudaMemPool_t pool,
                                 struct cudaMemLocation* location) {
  if (const cudaError_t error = enter()) return leave(error);
  if (flags == nullptr || location == nullptr || pool != onlyPool()) return leave(cudaErrorInvalidValue);
  *flags = cudaMemAccessFlagsProtReadWrite;  // there is one memory for all devices
  return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(device)) return leave(cudaErrorInvalidDevice);
  if (pool == nullptr) return leave(cudaErrorInvalidValue);
  *pool = onlyPool();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isDevice(device)) return leave(cudaErrorInvalidDevice);
  return leave(pool == onlyPool() ? cudaSuccess : cudaErrorInvalidValue);
}

// --- questions and advice

cudaError_t cudaMemGetInfo(size_t* freeBytes, size_t* totalBytes) {
  if (const cudaError_t error = enter()) return leave(error);
  if (freeBytes == nullptr || totalBytes == nullptr) return leave(cudaErrorInvalidValue);
  *freeBytes = addressSpace().deviceBytesFree();
  *totalBytes = addressSpace().deviceBytesTotal();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer) {
  if (const cudaError_t error = enter()) return leave(error);
  if (attributes == nullptr) return leave(cudaErrorInvalidValue);
  void* const address = const_cast<void*>(pointer);
  const Located located = locate(pointer);
  switch (located.place) {
    case Place::device:
      *attributes = {cudaMemoryTypeDevice, located.device, address, nullptr};
      break;
    case Place::managed:
      *attributes = {cudaMemoryTypeManaged, located.device, address, address};
      break;
    case Place::pinned:
      *attributes = {cudaMemoryTypeHost, located.device, address, address};
      break;
    case Place::variable:
      if (isKnownSymbol(pointer)) {
        *attributes = {cudaMemoryTypeDevice, 0, address, nullptr};
        break;
      }
      [[fallthrough]];
    default:
      *attributes = {cudaMemoryTypeUnregistered, cudaInvalidDeviceId, nullptr, address};
      break;
  }
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation) {
  if (const cudaError_t error = enter()) return leave(error);
  const Located located = locate(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy || bytes == 0 ||
      located.place != Place::managed || bytes > located.begin + located.bytes - address)
    return leave(cudaErrorInvalidValue);
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isStream(stream)) return leave(cudaErrorInvalidResourceHandle);
  if (location.type == cudaMemLocationTypeDevice && !isDevice(location.id))
    return leave(cudaErrorInvalidDevice);
  const Located located = locate(pointer);
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  if (flags != 0 || bytes == 0 || located.place != Place::managed ||
      bytes > located.begin + located.bytes - address)
    return leave(cudaErrorInvalidValue);
  return cudaSuccess;
}
