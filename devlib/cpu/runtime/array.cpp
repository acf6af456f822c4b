// CUDA arrays: allocation and questions. The memory is ordinary device memory (address_space.h).
#include "array.h"

#include <algorithm>
#include <mutex>
#include <set>

#include "address_space.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

struct LiveArrays {
  std::mutex mutex;
  std::set<const void*> arrays, mipmapped;
};
LiveArrays& liveArrays() {
  static auto* instance = new LiveArrays;  // outlives static destructors that free arrays
  return *instance;
}

bool isLive(const std::set<const void*>& handles, const void* handle) {
  std::lock_guard<std::mutex> lock(liveArrays().mutex);
  return handles.count(handle) == 1;
}

constexpr unsigned knownFlags = cudaArrayDefault | cudaArrayLayered | cudaArraySurfaceLoadStore |
                                cudaArrayCubemap | cudaArrayTextureGather;

bool shapeFits(const cudaExtent& extent, unsigned flags) {
  if (extent.width == 0 || (flags & ~knownFlags) != 0) return false;
  const bool layered = (flags & cudaArrayLayered) != 0, cube = (flags & cudaArrayCubemap) != 0;
  if (cube)
    return extent.width == extent.height &&
           (layered ? extent.depth > 0 && extent.depth % 6 == 0 : extent.depth == 6);
  if (layered) return extent.depth > 0;
  return extent.depth == 0 || extent.height > 0;
}

/// An array without memory yet; null if it cannot be.
std::unique_ptr<cudaArray> describe(const cudaChannelFormatDesc& format, const cudaExtent& extent,
                                    unsigned flags) {
  auto array = std::make_unique<cudaArray>();
  array->format = format;
  array->extent = extent;
  array->flags = flags;
  array->texelBytes = texelBytes(format);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(extent.width, array->texelBytes, &bytes) ||
      __builtin_mul_overflow(bytes, array->rows(), &bytes) ||
      __builtin_mul_overflow(bytes, array->slices(), &bytes))
    return nullptr;
  return array;
}

cudaError_t create(cudaArray_t* result, const cudaChannelFormatDesc* format, const cudaExtent& extent,
                   unsigned flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || format == nullptr || texelBytes(*format) == 0 || !shapeFits(extent, flags))
    return leave(cudaErrorInvalidValue);
  auto array = describe(*format, extent, flags);
  if (array == nullptr) return leave(cudaErrorMemoryAllocation);
  array->address = addressSpace().allocate(array->bytes(), MemoryKind::device, 0);
  if (array->address == 0) return leave(cudaErrorMemoryAllocation);
  *result = array.release();
  std::lock_guard<std::mutex> lock(liveArrays().mutex);
  liveArrays().arrays.insert(*result);
  return cudaSuccess;
}

/// Extents of the level after this one.
cudaExtent halved(const cudaExtent& extent, unsigned flags) {
  const auto half = [](std::size_t n) { return n == 0 ? 0 : std::max<std::size_t>(1, n / 2); };
  const bool keepsDepth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return {half(extent.width), half(extent.height), keepsDepth ? extent.depth : half(extent.depth)};
}

}  // namespace

std::size_t texelBytes(const cudaChannelFormatDesc& format) {
  const int channels[] = {format.x, format.y, format.z, format.w};
  const int bits = channels[0];
  int count = 0;
  while (count < 4 && channels[count] != 0) ++count;
  if (count == 0 || count == 3) return 0;
  for (int i = 0; i < 4; ++i)
    if (channels[i] != (i < count ? bits : 0)) return 0;
  const bool normalised = format.f >= cudaChannelFormatKindUnsignedNormalized8X1 &&
                          format.f <= cudaChannelFormatKindSignedNormalized16X4;
  const bool fits = format.f == cudaChannelFormatKindFloat      ? bits == 16 || bits == 32
                    : normalised                                ? bits == 8 || bits == 16
                    : format.f <= cudaChannelFormatKindUnsigned ? bits == 8 || bits == 16 || bits == 32
                                                                : false;
  return fits ? static_cast<std::size_t>(bits) / 8 * static_cast<std::size_t>(count) : 0;
}

bool isArray(cudaArray_const_t array) {
  return isLive(liveArrays().arrays, array);
}
bool isMipmappedArray(cudaMipmappedArray_const_t array) {
  return isLive(liveArrays().mipmapped, array);
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height, unsigned int flags) {
  return create(array, format, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                              unsigned int flags) {
  return create(array, format, extent, flags);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  if (const cudaError_t error = enter()) return leave(error);
  if (array == nullptr) return cudaSuccess;
  if (!isArray(array) || !array->ownsMemory) return leave(cudaErrorInvalidValue);
  {
    std::lock_guard<std::mutex> lock(liveArrays().mutex);
    liveArrays().arrays.erase(array);
  }
  addressSpace().free(array->address, MemoryKind::device, MemoryKind::device);
  delete array;
  return cudaSuccess;
}

const void* cuiArrayAddress(cudaArray_const_t array) {
  return isArray(array) ? pointerTo(array->address) : nullptr;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* result, const cudaChannelFormatDesc* format,
                                     cudaExtent extent, unsigned int levels, unsigned int flags) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || format == nullptr || texelBytes(*format) == 0 || !shapeFits(extent, flags))
    return leave(cudaErrorInvalidValue);
  // More levels than there are is as many as there are; none is one.
  std::size_t longest = std::max(extent.width, extent.height);
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) == 0) longest = std::max(longest, extent.depth);
  unsigned possible = 1;
  while (longest >>= 1) ++possible;
  auto mipmapped = std::make_unique<cudaMipmappedArray>();
  std::size_t bytes = 0;
  for (unsigned level = 0; level < std::clamp(levels, 1u, possible); ++level) {
    auto array = describe(*format, extent, flags);
    if (array == nullptr) return leave(cudaErrorMemoryAllocation);
    array->ownsMemory = false;
    array->address = bytes;
    constexpr std::size_t alignment = 512;
    bytes += (array->bytes() + alignment - 1) / alignment * alignment;
    mipmapped->levels.push_back(std::move(array));
    extent = halved(extent, flags);
  }
  const std::uintptr_t address = addressSpace().allocate(bytes, MemoryKind::device, 0);
  if (address == 0) return leave(cudaErrorMemoryAllocation);
  std::lock_guard<std::mutex> lock(liveArrays().mutex);
  for (const auto& level : mipmapped->levels) {
    level->address += address;
    liveArrays().arrays.insert(level.get());
  }
  *result = mipmapped.release();
  liveArrays().mipmapped.insert(*result);
  return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* result, cudaMipmappedArray_const_t mipmapped,
                                       unsigned int level) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || !isMipmappedArray(mipmapped) || level >= mipmapped->levels.size())
    return leave(cudaErrorInvalidValue);
  *result = mipmapped->levels[level].get();
  return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmapped) {
  if (const cudaError_t error = enter()) return leave(error);
  if (mipmapped == nullptr) return cudaSuccess;
  if (!isMipmappedArray(mipmapped)) return leave(cudaErrorInvalidValue);
  {
    std::lock_guard<std::mutex> lock(liveArrays().mutex);
    for (const auto& level : mipmapped->levels) liveArrays().arrays.erase(level.get());
    liveArrays().mipmapped.erase(mipmapped);
  }
  addressSpace().free(mipmapped->levels[0]->address, MemoryKind::device, MemoryKind::device);
  delete mipmapped;
  return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
  if (const cudaError_t error = enter()) return leave(error);
  if (!isArray(array)) return leave(cudaErrorInvalidResourceHandle);
  if (format != nullptr) *format = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  if (const cudaError_t error = enter()) return leave(error);
  if (format == nullptr || !isArray(array)) return leave(cudaErrorInvalidValue);
  *format = array->format;
  return cudaSuccess;
}
