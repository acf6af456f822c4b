// Texture and surface objects: creation, checks, questions.
#include "texture.h"

#include "array.h"
#include "object_table.h"
#include "runtime.h"

namespace cui::cpu {
namespace {

constexpr std::size_t maxObjects = 1 << 16;

ObjectTable<Texture, maxObjects>& textures() {
  static auto* table = new ObjectTable<Texture, maxObjects>;
  return *table;
}
ObjectTable<Surface, maxObjects>& surfaces() {
  static auto* table = new ObjectTable<Surface, maxObjects>;
  return *table;
}

Picture pictureOf(const cudaArray& array) {
  return {array.address, array.rowBytes(), static_cast<int>(array.extent.width),
          static_cast<int>(array.rows()), static_cast<int>(array.slices())};
}

/// Fills levels and texel format from the resource; an error if it is not what it should be.
cudaError_t readResource(const cudaResourceDesc& resource, Texture& texture, cudaChannelFormatDesc& format) {
  const auto plain = [&](const void* pointer, const cudaChannelFormatDesc& desc, std::size_t width,
                         std::size_t height, std::size_t pitch) {
    format = desc;
    if (pointer == nullptr || texelBytes(desc) == 0) return cudaErrorInvalidValue;
    texture.levels.push_back({reinterpret_cast<std::uintptr_t>(pointer), pitch, static_cast<int>(width),
                              static_cast<int>(height), 1});
    return cudaSuccess;
  };
  switch (resource.resType) {
    case cudaResourceTypeArray:
      if (!isArray(resource.res.array.array)) return cudaErrorInvalidResourceHandle;
      format = resource.res.array.array->format;
      texture.levels.push_back(pictureOf(*resource.res.array.array));
      return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
      if (!isMipmappedArray(resource.res.mipmap.mipmap)) return cudaErrorInvalidResourceHandle;
      format = resource.res.mipmap.mipmap->levels[0]->format;
      for (const auto& level : resource.res.mipmap.mipmap->levels)
        texture.levels.push_back(pictureOf(*level));
      return cudaSuccess;
    case cudaResourceTypeLinear: {
      const auto& linear = resource.res.linear;
      const std::size_t bytes = texelBytes(linear.desc);
      return plain(linear.devPtr, linear.desc, bytes == 0 ? 0 : linear.sizeInBytes / bytes, 1,
                   linear.sizeInBytes);
    }
    case cudaResourceTypePitch2D: {
      const auto& pitched = resource.res.pitch2D;
      if (pitched.pitchInBytes < pitched.width * texelBytes(pitched.desc)) return cudaErrorInvalidValue;
      return plain(pitched.devPtr, pitched.desc, pitched.width, pitched.height, pitched.pitchInBytes);
    }
  }
  return cudaErrorInvalidValue;
}

TexelFormat formatOf(const cudaChannelFormatDesc& desc, const cudaTextureDesc& sampling) {
  TexelFormat format;
  format.channelBytes = static_cast<unsigned>(desc.x) / 8;
  format.channels = static_cast<unsigned>(texelBytes(desc)) / format.channelBytes;
  const bool isReal = desc.f == cudaChannelFormatKindFloat;
  const bool isSigned =
      desc.f == cudaChannelFormatKindSigned || desc.f >= cudaChannelFormatKindSignedNormalized8X1;
  format.kind = isReal ? TexelKind::real : isSigned ? TexelKind::signedInteger : TexelKind::unsignedInteger;
  format.normalised = !isReal && (desc.f > cudaChannelFormatKindNone ||
                                  (sampling.readMode == cudaReadModeNormalizedFloat && desc.x < 32));
  return format;
}

}  // namespace

const Texture* findTexture(cudaTextureObject_t handle) {
  return textures().find(handle);
}
const Surface* findSurface(cudaSurfaceObject_t handle) {
  return surfaces().find(handle);
}

}  // namespace cui::cpu

using namespace cui::cpu;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* result, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* sampling, const cudaResourceViewDesc* view) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || resource == nullptr || sampling == nullptr) return leave(cudaErrorInvalidValue);
  if (view != nullptr && view->format != cudaResViewFormatNone)
    return notSupported("cudaCreateTextureObject with a view of another format");
  auto texture = std::make_unique<Texture>();
  cudaChannelFormatDesc format{};
  if (const cudaError_t error = readResource(*resource, *texture, format)) return leave(error);
  texture->format = formatOf(format, *sampling);
  const bool filters =
      sampling->filterMode == cudaFilterModeLinear && resource->resType != cudaResourceTypeLinear;
  if (filters && !texture->format.givesReals()) return leave(cudaErrorInvalidFilterSetting);
  texture->resource = *resource;
  texture->sampling = *sampling;
  texture->hasView = view != nullptr;
  if (view != nullptr) texture->view = *view;
  const cudaTextureObject_t handle = textures().add(std::move(texture));
  if (handle == 0) return leave(cudaErrorMemoryAllocation);
  *result = handle;
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  if (const cudaError_t error = enter()) return leave(error);
  if (texture == 0) return cudaSuccess;
  return leave(textures().remove(texture) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture) {
  if (const cudaError_t error = enter()) return leave(error);
  const Texture* found = findTexture(texture);
  if (resource == nullptr || found == nullptr) return leave(cudaErrorInvalidValue);
  *resource = found->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling, cudaTextureObject_t texture) {
  if (const cudaError_t error = enter()) return leave(error);
  const Texture* found = findTexture(texture);
  if (sampling == nullptr || found == nullptr) return leave(cudaErrorInvalidValue);
  *sampling = found->sampling;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view, cudaTextureObject_t texture) {
  if (const cudaError_t error = enter()) return leave(error);
  const Texture* found = findTexture(texture);
  if (view == nullptr || found == nullptr || !found->hasView) return leave(cudaErrorInvalidValue);
  *view = found->view;
  return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* result, const cudaResourceDesc* resource) {
  if (const cudaError_t error = enter()) return leave(error);
  if (result == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
    return leave(cudaErrorInvalidValue);
  const cudaArray_t array = resource->res.array.array;
  if (!isArray(array)) return leave(cudaErrorInvalidResourceHandle);
  if ((array->flags & cudaArraySurfaceLoadStore) == 0) return leave(cudaErrorInvalidValue);
  auto surface = std::make_unique<Surface>();
  surface->picture = pictureOf(*array);
  surface->texelBytes = array->texelBytes;
  surface->resource = *resource;
  const cudaSurfaceObject_t handle = surfaces().add(std::move(surface));
  if (handle == 0) return leave(cudaErrorMemoryAllocation);
  *result = handle;
  return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  if (const cudaError_t error = enter()) return leave(error);
  if (surface == 0) return cudaSuccess;
  return leave(surfaces().remove(surface) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t surface) {
  if (const cudaError_t error = enter()) return leave(error);
  const Surface* found = findSurface(surface);
  if (resource == nullptr || found == nullptr) return leave(cudaErrorInvalidValue);
  *resource = found->resource;
  return cudaSuccess;
}
