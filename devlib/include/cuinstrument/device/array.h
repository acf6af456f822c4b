// Where an array's texels are and how many bytes they take, for its row in the tables.
#pragma once

#include <cstddef>

namespace cui {
namespace api {

/// A GPU does not tell: there the handle stands for the address.
inline const void* arrayAddress(cudaArray_t array) {
#if defined(CUI_CPU_BACKEND)
  return ::cuiArrayAddress(array);
#else
  return array;
#endif
}
inline std::size_t arrayBytes(const cudaChannelFormatDesc& format, const cudaExtent& extent) {
  const auto bits = static_cast<std::size_t>(format.x + format.y + format.z + format.w);
  return bits / 8 * extent.width * (extent.height != 0 ? extent.height : 1) *
         (extent.depth != 0 ? extent.depth : 1);
}

/// The next smaller level of a pyramid; layers and faces stay as many as they are.
inline cudaExtent halvedExtent(const cudaExtent& extent, unsigned int flags) {
  const auto half = [](std::size_t n) { return n > 1 ? n / 2 : n; };
  const bool keepsDepth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  return cudaExtent{half(extent.width), half(extent.height), keepsDepth ? extent.depth : half(extent.depth)};
}

struct Pyramid {
  const void* address;
  std::size_t bytes;  ///< of all levels; on the CPU backend with what lies between them
};
/// As many levels as were asked for, if there can be so many.
inline Pyramid pyramidOf(cudaMipmappedArray_t array, const cudaChannelFormatDesc& format, cudaExtent extent,
                         unsigned int levels, unsigned int flags) {
  Pyramid result{array, arrayBytes(format, extent)};
  unsigned int level = 0;
  for (;;) {
    const cudaExtent next = halvedExtent(extent, flags);
    const bool last =
        next.width == extent.width && next.height == extent.height && next.depth == extent.depth;
    if (last || level + 1 >= levels) break;
    extent = next;
    ++level;
    result.bytes += arrayBytes(format, extent);
  }
#if defined(CUI_CPU_BACKEND)
  cudaArray_t first = nullptr, smallest = nullptr;
  if (::cudaGetMipmappedArrayLevel(&first, array, 0) == cudaSuccess &&
      ::cudaGetMipmappedArrayLevel(&smallest, array, level) == cudaSuccess) {
    result.address = arrayAddress(first);
    result.bytes = static_cast<std::size_t>(static_cast<const char*>(arrayAddress(smallest)) -
                                            static_cast<const char*>(result.address)) +
                   arrayBytes(format, extent);
  }
#endif
  return result;
}
/// The address in that row.
inline const void* pyramidAddress(cudaMipmappedArray_t array) {
#if defined(CUI_CPU_BACKEND)
  cudaArray_t first = nullptr;
  if (array != nullptr && ::cudaGetMipmappedArrayLevel(&first, array, 0) == cudaSuccess)
    return arrayAddress(first);
#endif
  return array;
}

}  // namespace api
}  // namespace cui
