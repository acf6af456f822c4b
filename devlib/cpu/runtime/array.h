// CUDA arrays: texels in rows, rows in slices, without padding. What a GPU keeps in an order of its own is a
// plain block of device memory here, so that a fetch has an address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "cuinstrument/backend/cpu/toolkit/cuda_runtime_api.h"

/// What the program's handle points to. `extent` is as it asked: 0 for a dimension that there is not.
struct cudaArray {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  std::uintptr_t address = 0;
  std::size_t texelBytes = 0;
  bool ownsMemory = true;  ///< false: a level of a mipmapped array, which goes with it

  std::size_t rows() const { return extent.height == 0 ? 1 : extent.height; }
  /// Depth, layers, or six faces a layer.
  std::size_t slices() const { return extent.depth == 0 ? 1 : extent.depth; }
  std::size_t rowBytes() const { return extent.width * texelBytes; }
  std::size_t sliceBytes() const { return rowBytes() * rows(); }
  std::size_t bytes() const { return sliceBytes() * slices(); }
};

struct cudaMipmappedArray {
  std::vector<std::unique_ptr<cudaArray>> levels;
};

namespace cui::cpu {

/// Bytes of a texel; 0 for a format that there is not on the CPU backend.
std::size_t texelBytes(const cudaChannelFormatDesc& format);

/// Whether the handle is of a live array (mipmapped array), so that it may be looked into.
bool isArray(cudaArray_const_t array);
bool isMipmappedArray(cudaMipmappedArray_const_t array);

}  // namespace cui::cpu
