// What a fetch returns: addressing, filtering and conversion by the rules of the CUDA programming guide
// ("Texture fetching"). Weights of linear filtering have 8 fractional bits, as on the hardware.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "cuinstrument/backend/cpu/exec_log.h"
#include "cuinstrument/backend/cpu/toolkit/texture_fetch_functions.h"
#include "texture.h"

__thread cui::backend::LastTexel cuiLastTexel;

namespace cui::cpu {
namespace {

/// Coordinates beyond this are outside of every picture; it keeps conversions to int defined.
constexpr float farAway = 268435456.0f;  // 2^28
constexpr float weightSteps = 256;

struct Colour {
  float channel[4] = {0, 0, 0, 0};
};

/// The largest integer that is not above the coordinate; without std::floor, which is a call on older
/// machines.
int toIndex(float coordinate) {
  if (std::isnan(coordinate)) return 0;
  const float near = std::clamp(coordinate, -farAway, farAway);
  const int towardsZero = static_cast<int>(near);
  return towardsZero - (near < static_cast<float>(towardsZero) ? 1 : 0);
}

/// The texel of a row of n that `index` means; -1: the border.
int address(int index, int n, cudaTextureAddressMode mode, bool normalisedCoordinates) {
  if (index >= 0 && index < n) return index;  // most are; divisions are slow
  // Wrapping and mirroring exist for normalised coordinates only.
  if (!normalisedCoordinates && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
    mode = cudaAddressModeClamp;
  switch (mode) {
    case cudaAddressModeBorder:
      return index >= 0 && index < n ? index : -1;
    case cudaAddressModeWrap:
      return (index % n + n) % n;
    case cudaAddressModeMirror: {
      const int turn = (index % (2 * n) + 2 * n) % (2 * n);
      return turn < n ? turn : 2 * n - 1 - turn;
    }
    case cudaAddressModeClamp:
      break;
  }
  return std::clamp(index, 0, n - 1);
}

float halfToFloat(std::uint16_t half) {
  const unsigned exponent = half >> 10 & 31u, mantissa = half & 1023u;
  const float sign = (half & 0x8000u) != 0 ? -1.0f : 1.0f;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(mantissa), -24);
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * std::ldexp(static_cast<float>(1024 + mantissa), static_cast<int>(exponent) - 25);
}

float linearFromSrgb(float value) {
  return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

/// One texture's reading of texels: the format applied, the first one's place kept.
class Reader {
 public:
  explicit Reader(const Texture& texture) : texture_(texture), format_(texture.format) { cuiLastTexel = {}; }

  /// The texel's channels: as integers extended to 32 bits, or the bits of floats.
  cuiTexel at(const Picture& picture, int x, int y, int slice) {
    cuiTexel texel{};
    if (x < 0 || y < 0 || slice < 0) {
      for (unsigned c = 0; c < 4; ++c)
        texel.bits[c] = format_.givesReals()
                            ? bitsOf(texture_.sampling.borderColor[c])
                            : static_cast<unsigned>(static_cast<int>(texture_.sampling.borderColor[c]));
      return texel;
    }
    const std::uintptr_t address =
        picture.address +
        (static_cast<std::size_t>(slice) * static_cast<std::size_t>(picture.height) +
         static_cast<std::size_t>(y)) *
            picture.pitch +
        static_cast<std::size_t>(x) * format_.bytes();
    if (cuiLastTexel.bytes == 0) cuiLastTexel = {address, format_.bytes()};
    // NOLINTNEXTLINE(performance-no-int-to-ptr): device memory is known by its address
    const auto* bytes = reinterpret_cast<const unsigned char*>(address);
    if (format_.channelBytes == 4 && !format_.normalised) {
      for (unsigned c = 0; c < format_.channels; ++c)
        std::memcpy(&texel.bits[c], bytes + std::size_t{c} * 4, 4);
      return texel;
    }
    for (unsigned c = 0; c < format_.channels; ++c)
      texel.bits[c] = channel(bytes + std::size_t{c} * format_.channelBytes, c);
    return texel;
  }

  Colour colourAt(const Picture& picture, int x, int y, int slice) {
    const cuiTexel texel = at(picture, x, y, slice);
    Colour colour;
    std::memcpy(colour.channel, texel.bits, sizeof colour.channel);
    return colour;
  }

 private:
  static unsigned bitsOf(float value) {
    unsigned bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }

  unsigned channel(const unsigned char* bytes, unsigned index) const {
    std::uint32_t raw = 0;
    std::memcpy(&raw, bytes, format_.channelBytes);
    const unsigned bits = format_.channelBytes * 8;
    if (format_.kind == TexelKind::real)
      return bits == 16 ? bitsOf(halfToFloat(static_cast<std::uint16_t>(raw))) : raw;
    if (format_.kind == TexelKind::unsignedInteger) {
      if (!format_.normalised) return raw;
      const float fraction = static_cast<float>(raw) / static_cast<float>((1u << bits) - 1);
      return bitsOf(texture_.sampling.sRGB != 0 && bits == 8 && index < 3 ? linearFromSrgb(fraction)
                                                                          : fraction);
    }
    const auto value = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
    if (!format_.normalised) return static_cast<unsigned>(value);
    return bitsOf(std::max(-1.0f, static_cast<float>(value) / static_cast<float>((1u << (bits - 1)) - 1)));
  }

  const Texture& texture_;
  const TexelFormat& format_;
};

/// A coordinate's two neighbours and the weight of the second one.
struct Neighbours {
  int first, second;
  float weight;
};

Neighbours neighbours(float coordinate, int n, cudaTextureAddressMode mode, bool normalised) {
  const float shifted = coordinate - 0.5f;
  const int index = toIndex(shifted);
  const float fraction = std::abs(shifted) < farAway ? shifted - static_cast<float>(index) : 0;
  return {address(index, n, mode, normalised), address(index + 1, n, mode, normalised),
          static_cast<float>(toIndex(fraction * weightSteps + 0.5f)) / weightSteps};
}

Colour mix(const Colour& a, const Colour& b, float weight) {
  Colour result;
  for (int c = 0; c < 4; ++c) result.channel[c] = (1 - weight) * a.channel[c] + weight * b.channel[c];
  return result;
}

cuiTexel texelOf(const Colour& colour) {
  cuiTexel texel;
  std::memcpy(texel.bits, colour.channel, sizeof texel.bits);
  return texel;
}

/// Coordinates in texels of a level, in one slice or, in three dimensions, between two.
struct Position {
  float x = 0, y = 0, z = 0;
  int dimensions = 1;
  int slice = 0;
};

class Sampler {
 public:
  Sampler(const Texture& texture, Reader& reader, bool normalised)
      : texture_(texture), reader_(reader), normalised_(normalised) {}

  cuiTexel nearest(const Picture& picture, const Position& p) {
    const int x = along(0, toIndex(p.x), picture.width);
    const int y = p.dimensions < 2 ? 0 : along(1, toIndex(p.y), picture.height);
    const int z = p.dimensions < 3 ? p.slice : along(2, toIndex(p.z), picture.depth);
    return reader_.at(picture, x, y, z);
  }

  Colour filtered(const Picture& picture, const Position& p) {
    const Neighbours x = between(0, p.x, picture.width);
    // A neighbour without weight is not read: fetches at the centres of texels are the most common ones.
    const auto row = [&](int y, int z) {
      const Colour first = reader_.colourAt(picture, x.first, y, z);
      return x.weight == 0 ? first : mix(first, reader_.colourAt(picture, x.second, y, z), x.weight);
    };
    if (p.dimensions < 2) return row(0, p.slice);
    const Neighbours y = between(1, p.y, picture.height);
    const auto slice = [&](int z) {
      const Colour first = row(y.first, z);
      return y.weight == 0 ? first : mix(first, row(y.second, z), y.weight);
    };
    if (p.dimensions < 3) return slice(p.slice);
    const Neighbours z = between(2, p.z, picture.depth);
    const Colour first = slice(z.first);
    return z.weight == 0 ? first : mix(first, slice(z.second), z.weight);
  }

 private:
  int along(int axis, int index, int n) const {
    return address(index, n, texture_.sampling.addressMode[axis], normalised_);
  }
  Neighbours between(int axis, float coordinate, int n) const {
    return neighbours(coordinate, n, texture_.sampling.addressMode[axis], normalised_);
  }

  const Texture& texture_;
  Reader& reader_;
  bool normalised_;
};

/// The face of a cube that a direction points at, and where on it, from 0 to 1.
int faceOf(float x, float y, float z, float& s, float& t) {
  const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
  float m = az;
  int face = z >= 0 ? 4 : 5;
  if (ax >= ay && ax >= az) {
    face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
  } else if (ay >= az) {
    face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
  } else {
    s = z >= 0 ? x : -x, t = -y;
  }
  s = m == 0 ? 0.5f : (s / m + 1) / 2;
  t = m == 0 ? 0.5f : (t / m + 1) / 2;
  return face;
}

const Texture& textureOf(cudaTextureObject_t handle, const char* what) {
  const Texture* texture = findTexture(handle);
  if (texture == nullptr) cuiFailKernel(what);
  return *texture;
}

}  // namespace
}  // namespace cui::cpu

using namespace cui::cpu;

cuiTexel cuiTextureFetch(cudaTextureObject_t handle, int index) {
  const Texture& texture = textureOf(handle, "tex1Dfetch from a texture object that there is not");
  Reader reader(texture);
  const Picture& picture = texture.levels[0];
  if (index < 0 || index >= picture.width) return cuiTexel{};  // zeros, whatever the address mode
  return reader.at(picture, index, 0, 0);
}

cuiTexel cuiTextureSample(cudaTextureObject_t handle, int shape, float x, float y, float z, int layer,
                          float level) {
  const Texture& texture = textureOf(handle, "a fetch from a texture object that there is not");
  Reader reader(texture);
  Position where;
  where.dimensions = shape == cuiTextureCube ? 2 : shape;
  bool normalised = texture.sampling.normalizedCoords != 0;
  if (shape == cuiTextureCube) {
    float s = 0, t = 0;
    const int face = faceOf(x, y, z, s, t), cubes = texture.levels[0].depth / 6;
    where.slice = (layer < 0 ? 0 : std::clamp(layer, 0, cubes - 1)) * 6 + face;
    x = s, y = t;
    normalised = true;
  } else if (layer >= 0 || shape != cuiTexture3D) {
    where.slice = std::clamp(layer, 0, texture.levels[0].depth - 1);
  }

  Sampler sampler(texture, reader, normalised);
  const auto positionIn = [&](const Picture& picture) {
    Position p = where;
    p.x = normalised ? x * static_cast<float>(picture.width) : x;
    p.y = normalised ? y * static_cast<float>(picture.height) : y;
    p.z = normalised ? z * static_cast<float>(picture.depth) : z;
    return p;
  };
  const auto sample = [&](std::size_t at) {
    const Picture& picture = texture.levels[at];
    return texture.sampling.filterMode == cudaFilterModeLinear
               ? texelOf(sampler.filtered(picture, positionIn(picture)))
               : sampler.nearest(picture, positionIn(picture));
  };
  const auto last = static_cast<float>(texture.levels.size() - 1);
  if (last == 0) return sample(0);
  level += texture.sampling.mipmapLevelBias;
  const float most = std::max(texture.sampling.maxMipmapLevelClamp, texture.sampling.minMipmapLevelClamp);
  level = std::clamp(std::clamp(level, texture.sampling.minMipmapLevelClamp, most), 0.0f, last);
  if (texture.sampling.mipmapFilterMode == cudaFilterModePoint || !texture.format.givesReals())
    return sample(static_cast<std::size_t>(std::floor(level + 0.5f)));
  const float lower = std::floor(level);
  const float weight = std::floor((level - lower) * weightSteps + 0.5f) / weightSteps;
  const cuiTexel a = sample(static_cast<std::size_t>(lower));
  if (weight == 0) return a;
  const cuiTexel b = sample(static_cast<std::size_t>(lower) + 1);
  Colour below, above;
  std::memcpy(below.channel, a.bits, sizeof a.bits);
  std::memcpy(above.channel, b.bits, sizeof b.bits);
  return texelOf(mix(below, above, weight));
}

cuiTexel cuiTextureGather(cudaTextureObject_t handle, float x, float y, int channel) {
  const Texture& texture = textureOf(handle, "tex2Dgather from a texture object that there is not");
  Reader reader(texture);
  const Picture& picture = texture.levels[0];
  const cudaTextureDesc& sampling = texture.sampling;
  const bool normalised = sampling.normalizedCoords != 0;
  const Neighbours i = neighbours(normalised ? x * static_cast<float>(picture.width) : x, picture.width,
                                  sampling.addressMode[0], normalised);
  const Neighbours j = neighbours(normalised ? y * static_cast<float>(picture.height) : y, picture.height,
                                  sampling.addressMode[1], normalised);
  const auto at = [&](int column, int row) { return reader.at(picture, column, row, 0).bits[channel & 3]; };
  const unsigned upperLeft = at(i.first, j.first), upperRight = at(i.second, j.first);
  return cuiTexel{{at(i.first, j.second), at(i.second, j.second), upperRight, upperLeft}};
}

float cuiTextureLevel(cudaTextureObject_t handle, int shape, const float* dx, const float* dy) {
  const Texture& texture = textureOf(handle, "a fetch from a texture object that there is not");
  const Picture& picture = texture.levels[0];
  const int extents[] = {picture.width, picture.height, picture.depth};
  float longest = 0;
  for (const float* d : {dx, dy}) {
    float squares = 0;
    for (int axis = 0; axis < std::min(shape, 3); ++axis) {
      // A cube's direction spans two units where a face's coordinates span one.
      const float scale = shape == cuiTextureCube                  ? static_cast<float>(picture.width) / 2
                          : texture.sampling.normalizedCoords != 0 ? static_cast<float>(extents[axis])
                                                                   : 1;
      squares += d[axis] * scale * d[axis] * scale;
    }
    longest = std::max(longest, squares);
  }
  return longest > 0 ? 0.5f * std::log2(longest) : 0;
}
