// Texture fetches. The sampling itself, by the rules of the CUDA programming guide, is in
// devlib/cpu/runtime/texture_sample.cpp; here its result gets the type that was asked for.
#pragma once
#pragma GCC system_header

#include "driver_types.h"

/// A fetched texel: floats, or integers extended to 32 bits, as bits.
struct cuiTexel {
  unsigned int bits[4];
};

/// How a texture is looked up: the number of coordinates, or the direction of a cube map.
enum cuiTextureShape { cuiTexture1D = 1, cuiTexture2D = 2, cuiTexture3D = 3, cuiTextureCube = 4 };

extern "C" {
/// Texel `index` of linear memory or of a one-dimensional array.
__device__ struct cuiTexel cuiTextureFetch(cudaTextureObject_t texture, int index);
/// `layer` is -1 for a texture without layers.
__device__ struct cuiTexel cuiTextureSample(cudaTextureObject_t texture, int shape, float x, float y, float z,
                                            int layer, float level);
__device__ struct cuiTexel cuiTextureGather(cudaTextureObject_t texture, float x, float y, int channel);
/// The mipmap level at which neighbours that are (dx, dy) apart are neighbouring texels, too.
__device__ float cuiTextureLevel(cudaTextureObject_t texture, int shape, const float* dx, const float* dy);
}

/// The channels of a type that can be fetched.
template <class T>
struct cuiTexelAs;
template <class T>
CUI_TK_DEVICE T cuiChannelAs(unsigned int bits) {
  return static_cast<T>(bits);
}
template <>
__inline__ __device__ float cuiChannelAs<float>(unsigned int bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
#define CUI_TK_TEXEL_SCALAR(T)                                                                \
  template <>                                                                                 \
  struct cuiTexelAs<T> {                                                                      \
    static __device__ T from(const struct cuiTexel& t) { return cuiChannelAs<T>(t.bits[0]); } \
  };
#define CUI_TK_TEXEL_VECTORS(T, name)                                                                     \
  template <>                                                                                             \
  struct cuiTexelAs<name##1> {                                                                            \
    static __device__ name##1 from(const struct cuiTexel& t) {                                            \
      return name##1 {cuiChannelAs<T>(t.bits[0])};                                                        \
    }                                                                                                     \
  };                                                                                                      \
  template <>                                                                                             \
  struct cuiTexelAs<name##2> {                                                                            \
    static __device__ name##2 from(const struct cuiTexel& t) {                                            \
      return name##2 {cuiChannelAs<T>(t.bits[0]), cuiChannelAs<T>(t.bits[1])};                            \
    }                                                                                                     \
  };                                                                                                      \
  template <>                                                                                             \
  struct cuiTexelAs<name##4> {                                                                            \
    static __device__ name##4 from(const struct cuiTexel& t) {                                            \
      return name##4 {cuiChannelAs<T>(t.bits[0]), cuiChannelAs<T>(t.bits[1]), cuiChannelAs<T>(t.bits[2]), \
                      cuiChannelAs<T>(t.bits[3])};                                                        \
    }                                                                                                     \
  };
CUI_TK_TEXEL_SCALAR(char)
#define CUI_TK_TEXEL(T, name) \
  CUI_TK_TEXEL_SCALAR(T)      \
  CUI_TK_TEXEL_VECTORS(T, name)
CUI_TK_TEXEL(signed char, char)
CUI_TK_TEXEL(unsigned char, uchar)
CUI_TK_TEXEL(short, short)
CUI_TK_TEXEL(unsigned short, ushort)
CUI_TK_TEXEL(int, int)
CUI_TK_TEXEL(unsigned int, uint)
CUI_TK_TEXEL(float, float)
#undef CUI_TK_TEXEL
#undef CUI_TK_TEXEL_VECTORS
#undef CUI_TK_TEXEL_SCALAR

/// Both forms of a fetch: its result returned, or written through a pointer.
#define CUI_TK_UNPACK(...) __VA_ARGS__
#define CUI_TK_FETCH(name, parameters, fetch)                                                 \
  template <class T>                                                                          \
  CUI_TK_DEVICE T name(cudaTextureObject_t texture, CUI_TK_UNPACK parameters) {               \
    return cuiTexelAs<T>::from(fetch);                                                        \
  }                                                                                           \
  template <class T>                                                                          \
  CUI_TK_DEVICE void name(T* result, cudaTextureObject_t texture, CUI_TK_UNPACK parameters) { \
    *result = cuiTexelAs<T>::from(fetch);                                                     \
  }
/// A texture of some shape: at level 0, at a level, or at the level that gradients ask for.
#define CUI_TK_FETCHES(name, parameters, Gradient, shape, x, y, z, layer)             \
  CUI_TK_FETCH(name, parameters, cuiTextureSample(texture, shape, x, y, z, layer, 0)) \
  CUI_TK_FETCH(name##Lod, (CUI_TK_UNPACK parameters, float level),                    \
               cuiTextureSample(texture, shape, x, y, z, layer, level))               \
  CUI_TK_FETCH(                                                                       \
      name##Grad, (CUI_TK_UNPACK parameters, Gradient cuiDx, Gradient cuiDy),         \
      cuiTextureSample(texture, shape, x, y, z, layer, cuiGradientLevel(texture, shape, cuiDx, cuiDy)))

CUI_TK_DEVICE float cuiGradientLevel(cudaTextureObject_t texture, int shape, float dx, float dy) {
  const float x[3] = {dx, 0, 0}, y[3] = {dy, 0, 0};
  return cuiTextureLevel(texture, shape, x, y);
}
CUI_TK_DEVICE float cuiGradientLevel(cudaTextureObject_t texture, int shape, float2 dx, float2 dy) {
  const float x[3] = {dx.x, dx.y, 0}, y[3] = {dy.x, dy.y, 0};
  return cuiTextureLevel(texture, shape, x, y);
}
CUI_TK_DEVICE float cuiGradientLevel(cudaTextureObject_t texture, int shape, float4 dx, float4 dy) {
  const float x[3] = {dx.x, dx.y, dx.z}, y[3] = {dy.x, dy.y, dy.z};
  return cuiTextureLevel(texture, shape, x, y);
}

CUI_TK_FETCH(tex1Dfetch, (int index), cuiTextureFetch(texture, index))
CUI_TK_FETCHES(tex1D, (float x), float, cuiTexture1D, x, 0, 0, -1)
CUI_TK_FETCHES(tex2D, (float x, float y), float2, cuiTexture2D, x, y, 0, -1)
CUI_TK_FETCHES(tex3D, (float x, float y, float z), float4, cuiTexture3D, x, y, z, -1)
CUI_TK_FETCHES(tex1DLayered, (float x, int layer), float, cuiTexture1D, x, 0, 0, layer)
CUI_TK_FETCHES(tex2DLayered, (float x, float y, int layer), float2, cuiTexture2D, x, y, 0, layer)
CUI_TK_FETCHES(texCubemap, (float x, float y, float z), float4, cuiTextureCube, x, y, z, -1)
CUI_TK_FETCHES(texCubemapLayered, (float x, float y, float z, int layer), float4, cuiTextureCube, x, y, z,
               layer)
CUI_TK_FETCH(tex2Dgather, (float x, float y, int channel = 0), cuiTextureGather(texture, x, y, channel))
#undef CUI_TK_FETCHES
#undef CUI_TK_FETCH
#undef CUI_TK_UNPACK
