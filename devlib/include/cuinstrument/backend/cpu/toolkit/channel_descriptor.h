// What a texel holds: cudaCreateChannelDesc for types, for widths and for normalised formats.
#pragma once
#pragma GCC system_header

#include "driver_types.h"

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
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat};
}
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaChannelFormatDesc{16, 16, 0, 0, cudaChannelFormatKindFloat};
}
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaChannelFormatDesc{16, 16, 16, 16, cudaChannelFormatKindFloat};
}

/// The eight- and sixteen-bit formats that are read as fractions of their range.
template <enum cudaChannelFormatKind Kind>
CUI_TK_HOST struct cudaChannelFormatDesc cudaCreateChannelDesc() {
  static_assert(
      Kind >= cudaChannelFormatKindUnsignedNormalized8X1 && Kind <= cudaChannelFormatKindSignedNormalized16X4,
      "the CPU backend has no block-compressed textures");
  constexpr int format = Kind - cudaChannelFormatKindUnsignedNormalized8X1;  // 8-bit ones, then 16-bit ones
  constexpr int bits = format / 3 % 2 == 0 ? 8 : 16;
  constexpr int channels = 1 << format % 3;
  return cudaChannelFormatDesc{bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                               channels > 2 ? bits : 0, Kind};
}
