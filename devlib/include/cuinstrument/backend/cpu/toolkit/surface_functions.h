// Surface reads and writes: x counts bytes, as in CUDA, and layers and faces are slices of the array.
#pragma once
#pragma GCC system_header

#include "driver_types.h"

extern "C" {
/// Where `bytes` bytes of a surface are. Null outside of it, if the mode says that such reads give zero and
/// such writes are lost; cudaBoundaryModeTrap ends the grid.
__device__ void* cuiSurfaceAt(cudaSurfaceObject_t surface, int x, int y, int slice, unsigned int bytes,
                              int mode);
}

template <class T>
CUI_TK_DEVICE T cuiSurfaceRead(const void* at) {
  T value = {};
  if (at != nullptr) __builtin_memcpy(&value, at, sizeof value);
  return value;
}

#define CUI_TK_UNPACK(...) __VA_ARGS__
#define CUI_TK_SURFACE(name, parameters, x, y, slice)                                             \
  template <class T>                                                                              \
  CUI_TK_DEVICE T name##read(cudaSurfaceObject_t surface, CUI_TK_UNPACK parameters,               \
                             enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {          \
    return cuiSurfaceRead<T>(cuiSurfaceAt(surface, x, y, slice, sizeof(T), mode));                \
  }                                                                                               \
  template <class T>                                                                              \
  CUI_TK_DEVICE void name##read(T* result, cudaSurfaceObject_t surface, CUI_TK_UNPACK parameters, \
                                enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {       \
    *result = cuiSurfaceRead<T>(cuiSurfaceAt(surface, x, y, slice, sizeof(T), mode));             \
  }                                                                                               \
  template <class T>                                                                              \
  CUI_TK_DEVICE void name##write(T value, cudaSurfaceObject_t surface, CUI_TK_UNPACK parameters,  \
                                 enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {      \
    void* const at = cuiSurfaceAt(surface, x, y, slice, sizeof(T), mode);                         \
    if (at != nullptr) __builtin_memcpy(at, &value, sizeof value);                                \
  }
CUI_TK_SURFACE(surf1D, (int x), x, 0, 0)
CUI_TK_SURFACE(surf2D, (int x, int y), x, y, 0)
CUI_TK_SURFACE(surf3D, (int x, int y, int z), x, y, z)
CUI_TK_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
CUI_TK_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
CUI_TK_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
CUI_TK_SURFACE(surfCubemapLayered, (int x, int y, int layerFace), x, y, layerFace)
#undef CUI_TK_SURFACE
#undef CUI_TK_UNPACK
