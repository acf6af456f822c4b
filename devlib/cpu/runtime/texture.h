// Texture and surface objects: what their handles stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuinstrument/backend/cpu/toolkit/cuda_runtime_api.h"

namespace cui::cpu {

/// Texels in rows and slices; one mipmap level of a texture, or a surface.
struct Picture {
  std::uintptr_t address = 0;
  std::size_t pitch = 0;  ///< bytes between rows
  int width = 0, height = 1;
  int depth = 1;  ///< slices: depth, layers, or six faces a layer
};

enum class TexelKind { signedInteger, unsignedInteger, real };

/// How the bytes of a texel are read.
struct TexelFormat {
  unsigned channels = 0;
  unsigned channelBytes = 0;
  TexelKind kind = TexelKind::unsignedInteger;
  bool normalised = false;  ///< integers are read as fractions of their range

  unsigned bytes() const { return channels * channelBytes; }
  bool givesReals() const { return normalised || kind == TexelKind::real; }
};

struct Texture {
  std::vector<Picture> levels;  ///< at least one
  TexelFormat format;
  cudaResourceDesc resource = {};
  cudaTextureDesc sampling = {};
  cudaResourceViewDesc view = {};
  bool hasView = false;
};

struct Surface {
  Picture picture;
  std::size_t texelBytes = 0;
  cudaResourceDesc resource = {};
};

/// What device code's handle stands for; null if there is no such object. Without a lock.
const Texture* findTexture(cudaTextureObject_t handle);
const Surface* findSurface(cudaSurfaceObject_t handle);

}  // namespace cui::cpu
