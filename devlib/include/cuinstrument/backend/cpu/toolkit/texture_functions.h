// Textures and surfaces: channel descriptors, and the fetch functions that the CPU backend lacks. A program
// that uses them compiles; creating the object already fails with a message, and so does a fetch.
#pragma once
#pragma GCC system_header

#include "cuda_runtime_api.h"

template <class T>
struct cuiChannels;
#define CUI_TK_CHANNELS(T, x, y, z, w, kind)                                 \
  template <>                                                                \
  struct cuiChannels<T> {                                                    \
    static struct cudaChannelFormatDesc description() {                      \
      return cudaChannelFormatDesc{x, y, z, w, cudaChannelFormatKind##kind}; \
    }                                                                        \
  };
#define CUI_TK_CHANNEL_FAMILY(T, name, bits, kind) \
  CUI_TK_CHANNELS(T, bits, 0, 0, 0, kind)          \
  CUI_TK_CHANNELS(name##1, bits, 0, 0, 0, kind)    \
  CUI_TK_CHANNELS(name##2, bits, bits, 0, 0, kind) \
  CUI_TK_CHANNELS(name##4, bits, bits, bits, bits, kind)
CUI_TK_CHANNELS(char, 8, 0, 0, 0, Signed)
CUI_TK_CHANNEL_FAMILY(signed char, char, 8, Signed)
CUI_TK_CHANNEL_FAMILY(unsigned char, uchar, 8, Unsigned)
CUI_TK_CHANNEL_FAMILY(short, short, 16, Signed)
CUI_TK_CHANNEL_FAMILY(unsigned short, ushort, 16, Unsigned)
CUI_TK_CHANNEL_FAMILY(int, int, 32, Signed)
CUI_TK_CHANNEL_FAMILY(unsigned int, uint, 32, Unsigned)
CUI_TK_CHANNEL_FAMILY(float, float, 32, Float)
#undef CUI_TK_CHANNEL_FAMILY
#undef CUI_TK_CHANNELS
template <class T>
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cuiChannels<T>::description();
}
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                               enum cudaChannelFormatKind f) {
  return cudaChannelFormatDesc{x, y, z, w, f};
}

extern "C" __device__ void cuiUnsupportedInKernel(const char* what);

/// Both forms: the result returned, or written through a pointer.
#define CUI_TK_FETCH(name)                                         \
  template <class T, class... Arguments>                           \
  CUI_TK_DEVICE T name(cudaTextureObject_t, Arguments...) {        \
    cuiUnsupportedInKernel(#name);                                 \
    return T();                                                    \
  }                                                                \
  template <class T, class... Arguments>                           \
  CUI_TK_DEVICE void name(T*, cudaTextureObject_t, Arguments...) { \
    cuiUnsupportedInKernel(#name);                                 \
  }
#define CUI_TK_FETCHES(name) \
  CUI_TK_FETCH(name)         \
  CUI_TK_FETCH(name##Lod)    \
  CUI_TK_FETCH(name##Grad)
CUI_TK_FETCH(tex1Dfetch)
CUI_TK_FETCHES(tex1D)
CUI_TK_FETCHES(tex2D)
CUI_TK_FETCHES(tex3D)
CUI_TK_FETCHES(texCubemap)
CUI_TK_FETCHES(tex1DLayered)
CUI_TK_FETCHES(tex2DLayered)
CUI_TK_FETCHES(texCubemapLayered)
CUI_TK_FETCH(tex2Dgather)
CUI_TK_FETCH(surf1Dread)
CUI_TK_FETCH(surf2Dread)
CUI_TK_FETCH(surf3Dread)
CUI_TK_FETCH(surf1DLayeredread)
CUI_TK_FETCH(surf2DLayeredread)
CUI_TK_FETCH(surfCubemapread)
#undef CUI_TK_FETCHES
#undef CUI_TK_FETCH
#define CUI_TK_SURFACE_WRITE(name)                                \
  template <class T, class... Arguments>                          \
  CUI_TK_DEVICE void name(T, cudaSurfaceObject_t, Arguments...) { \
    cuiUnsupportedInKernel(#name);                                \
  }
CUI_TK_SURFACE_WRITE(surf1Dwrite)
CUI_TK_SURFACE_WRITE(surf2Dwrite)
CUI_TK_SURFACE_WRITE(surf3Dwrite)
CUI_TK_SURFACE_WRITE(surf1DLayeredwrite)
CUI_TK_SURFACE_WRITE(surf2DLayeredwrite)
CUI_TK_SURFACE_WRITE(surfCubemapwrite)
#undef CUI_TK_SURFACE_WRITE
