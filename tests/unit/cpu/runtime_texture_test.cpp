// Textures and surfaces: what a fetch returns by the programming guide's rules, and arrays, their copies and
// errors. Fetches need no kernel here, so they are called from the test itself.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "cuinstrument/backend/cpu/exec_log.h"

namespace {

/// A texture over an array or over plain memory; both go with it.
class Texture {
 public:
  cudaTextureDesc sampling = {};

  Texture() {
    for (auto& mode : sampling.addressMode) mode = cudaAddressModeClamp;
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture() {
    EXPECT_EQ(cudaDestroyTextureObject(object_), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array_), cudaSuccess);
  }

  template <class T>
  Texture& overArray(const std::vector<T>& texels, cudaExtent extent, unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    EXPECT_EQ(cudaMalloc3DArray(&array_, &format, extent, flags), cudaSuccess);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(texels.data()), extent.width * sizeof(T), extent.width,
                                      extent.height == 0 ? 1 : extent.height);
    copy.dstArray = array_;
    copy.extent = make_cudaExtent(extent.width, extent.height == 0 ? 1 : extent.height,
                                  extent.depth == 0 ? 1 : extent.depth);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    resource_.resType = cudaResourceTypeArray;
    resource_.res.array.array = array_;
    return *this;
  }
  cudaResourceDesc& resource() { return resource_; }
  cudaTextureObject_t object() {
    EXPECT_EQ(cudaDestroyTextureObject(object_), cudaSuccess);
    EXPECT_EQ(cudaCreateTextureObject(&object_, &resource_, &sampling, nullptr), cudaSuccess);
    return object_;
  }

 private:
  cudaArray_t array_ = nullptr;
  cudaResourceDesc resource_ = {};
  cudaTextureObject_t object_ = 0;
};

template <class T>
std::vector<T> counted(std::size_t n) {
  std::vector<T> values(n);
  std::iota(values.begin(), values.end(), T{});
  return values;
}

TEST(Texture, LinearMemoryIsFetchedByIndex) {
  float* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 8 * sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(memory, counted<float>(8).data(), 8 * sizeof(float), cudaMemcpyHostToDevice),
            cudaSuccess);
  Texture texture;
  texture.resource().resType = cudaResourceTypeLinear;
  texture.resource().res.linear = {memory, cudaCreateChannelDesc<float>(), 8 * sizeof(float)};
  const cudaTextureObject_t floats = texture.object();
  EXPECT_EQ(tex1Dfetch<float>(floats, 0), 0);
  EXPECT_EQ(tex1Dfetch<float>(floats, 7), 7);
  EXPECT_EQ(cuiLastTexel.address, reinterpret_cast<std::uintptr_t>(memory + 7));
  EXPECT_EQ(cuiLastTexel.bytes, 4u);
  // Outside: zero, and no memory is touched.
  EXPECT_EQ(tex1Dfetch<float>(floats, 8), 0);
  EXPECT_EQ(tex1Dfetch<float>(floats, -1), 0);
  EXPECT_EQ(cuiLastTexel.bytes, 0u);

  // The same memory as pairs.
  texture.resource().res.linear.desc = cudaCreateChannelDesc<float2>();
  float2 pair = {};
  tex1Dfetch(&pair, texture.object(), 3);
  EXPECT_EQ(pair.x, 6);
  EXPECT_EQ(pair.y, 7);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Texture, PitchedMemoryHasRows) {
  short* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 3 * sizeof(short), 2), cudaSuccess);
  const std::vector<short> rows = {1, -2, 3, 4, 5, 6};
  ASSERT_EQ(cudaMemcpy2D(memory, pitch, rows.data(), 6, 6, 2, cudaMemcpyHostToDevice), cudaSuccess);
  Texture texture;
  texture.resource().resType = cudaResourceTypePitch2D;
  texture.resource().res.pitch2D = {memory, cudaCreateChannelDesc<short>(), 3, 2, pitch};
  const cudaTextureObject_t shorts = texture.object();
  EXPECT_EQ(tex2D<short>(shorts, 1, 0), -2);
  EXPECT_EQ(tex2D<short>(shorts, 2.9f, 1.5f), 6);
  EXPECT_EQ(cuiLastTexel.address, reinterpret_cast<std::uintptr_t>(memory) + pitch + 4);
  texture.resource().res.pitch2D.pitchInBytes = 4;  // less than a row
  cudaTextureObject_t refused = 0;
  EXPECT_EQ(cudaCreateTextureObject(&refused, &texture.resource(), &texture.sampling, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
}

TEST(Texture, AddressModes) {
  Texture texture;
  texture.overArray(counted<int>(4), {4, 0, 0});
  const auto at = [&](float x, cudaTextureAddressMode mode, bool normalised) {
    texture.sampling.addressMode[0] = mode;
    texture.sampling.normalizedCoords = normalised;
    return tex1D<int>(texture.object(), x);
  };
  EXPECT_EQ(at(2.99f, cudaAddressModeClamp, false), 2);
  EXPECT_EQ(at(-5, cudaAddressModeClamp, false), 0);
  EXPECT_EQ(at(1e30f, cudaAddressModeClamp, false), 3);
  EXPECT_EQ(at(0.5f, cudaAddressModeClamp, true), 2);
  // 1.25 is texel 5 of 4: 5 - 4 = 1 wrapped; -0.25 is texel -1: 3.
  EXPECT_EQ(at(1.25f, cudaAddressModeWrap, true), 1);
  EXPECT_EQ(at(-0.25f, cudaAddressModeWrap, true), 3);
  // Mirrored, texels go 0 1 2 3 3 2 1 0: number 5 is 2, number -1 is 0.
  EXPECT_EQ(at(1.25f, cudaAddressModeMirror, true), 2);
  EXPECT_EQ(at(-0.25f, cudaAddressModeMirror, true), 0);
  // Neither exists for unnormalised coordinates.
  EXPECT_EQ(at(5, cudaAddressModeWrap, false), 3);
  texture.sampling.borderColor[0] = 9;
  EXPECT_EQ(at(3.5f, cudaAddressModeBorder, false), 3);
  EXPECT_EQ(at(4, cudaAddressModeBorder, false), 9);
  EXPECT_EQ(cuiLastTexel.bytes, 0u);
}

TEST(Texture, LinearFilteringWeighsNeighbours) {
  Texture texture;
  texture.overArray<float>({0, 8, 4, 16}, {2, 2, 0});
  texture.sampling.filterMode = cudaFilterModeLinear;
  const cudaTextureObject_t object = texture.object();
  EXPECT_EQ(tex2D<float>(object, 0.5f, 0.5f), 0);  // a texel's centre
  EXPECT_EQ(tex2D<float>(object, 1.0f, 0.5f), 4);  // between 0 and 8
  EXPECT_EQ(tex2D<float>(object, 1.0f, 1.0f), 7);  // (0 + 8 + 4 + 16) / 4
  EXPECT_EQ(tex2D<float>(object, 0.75f, 0.5f), 2);
  EXPECT_EQ(tex2D<float>(object, -3, 0.5f), 0);  // clamped
  // Weights are multiples of 1/256: 0.001 rounds to 0, 0.0021 to 1/256 of 8.
  EXPECT_EQ(tex2D<float>(object, 0.501f, 0.5f), 0);
  EXPECT_EQ(tex2D<float>(object, 0.5021f, 0.5f), 8.0f / 256);
}

TEST(Texture, VolumesFilterInThreeDimensions) {
  Texture texture;
  texture.overArray<float>({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2});
  EXPECT_EQ(tex3D<float>(texture.object(), 1, 0, 1), 5);
  texture.sampling.filterMode = cudaFilterModeLinear;
  EXPECT_EQ(tex3D<float>(texture.object(), 1, 1, 1), 3.5f);  // the mean of all
  texture.sampling.normalizedCoords = 1;
  EXPECT_EQ(tex3D<float>(texture.object(), 0.25f, 0.25f, 0.5f), 2);  // between 0 and 4
}

TEST(Texture, IntegersAsFractions) {
  Texture bytes;
  bytes.overArray<uchar4>({uchar4{0, 51, 255, 102}}, {1, 1, 0});
  EXPECT_EQ(tex2D<uchar4>(bytes.object(), 0, 0).z, 255);
  bytes.sampling.readMode = cudaReadModeNormalizedFloat;
  const float4 colour = tex2D<float4>(bytes.object(), 0, 0);
  EXPECT_EQ(colour.x, 0);
  EXPECT_FLOAT_EQ(colour.y, 0.2f);
  EXPECT_EQ(colour.z, 1);
  EXPECT_FLOAT_EQ(colour.w, 0.4f);
  // -128 and -127 are both -1.
  Texture signedBytes;
  signedBytes.overArray<signed char>({-128, -127, 127}, {3, 0, 0});
  signedBytes.sampling.readMode = cudaReadModeNormalizedFloat;
  const cudaTextureObject_t object = signedBytes.object();
  EXPECT_EQ(tex1D<float>(object, 0), -1);
  EXPECT_EQ(tex1D<float>(object, 1), -1);
  EXPECT_EQ(tex1D<float>(object, 2), 1);
}

TEST(Texture, FilteringNeedsFractions) {
  Texture texture;
  texture.overArray<int>({1, 2}, {2, 0, 0});
  texture.sampling.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t object = 0;
  EXPECT_EQ(cudaCreateTextureObject(&object, &texture.resource(), &texture.sampling, nullptr),
            cudaErrorInvalidFilterSetting);
}

TEST(Texture, LayersAreNotFiltered) {
  Texture texture;
  texture.overArray<float>({0, 2, 10, 12, 20, 22}, {2, 0, 3}, cudaArrayLayered);
  texture.sampling.filterMode = cudaFilterModeLinear;
  const cudaTextureObject_t object = texture.object();
  EXPECT_EQ(tex1DLayered<float>(object, 1, 1), 11);
  EXPECT_EQ(tex1DLayered<float>(object, 0.5f, 7), 20);  // the last layer
  Texture pictures;
  pictures.overArray(counted<int>(8), {2, 2, 2}, cudaArrayLayered);
  EXPECT_EQ(tex2DLayered<int>(pictures.object(), 1, 0, 1), 5);
}

TEST(Texture, CubeFaces) {
  // One texel a face, in the order +x -x +y -y +z -z.
  Texture texture;
  texture.overArray(counted<int>(6), {1, 1, 6}, cudaArrayCubemap);
  const cudaTextureObject_t cube = texture.object();
  EXPECT_EQ(texCubemap<int>(cube, 3, 1, -1), 0);
  EXPECT_EQ(texCubemap<int>(cube, -3, 1, -1), 1);
  EXPECT_EQ(texCubemap<int>(cube, 1, 3, -1), 2);
  EXPECT_EQ(texCubemap<int>(cube, 1, -3, -1), 3);
  EXPECT_EQ(texCubemap<int>(cube, 1, 0, 3), 4);
  EXPECT_EQ(texCubemap<int>(cube, 1, 0, -3), 5);
  // On +x, s = -z / x and t = -y / x: (1, -0.5, 0.5) is the left lower quarter.
  Texture quarters;
  quarters.overArray(counted<int>(48), {2, 2, 12}, cudaArrayCubemap | cudaArrayLayered);
  const cudaTextureObject_t cubes = quarters.object();
  EXPECT_EQ(texCubemapLayered<int>(cubes, 1, -0.5f, 0.5f, 0), 2);
  EXPECT_EQ(texCubemapLayered<int>(cubes, 1, -0.5f, 0.5f, 1), 24 + 2);
}

TEST(Texture, GatherGoesRoundTheFootprint) {
  Texture texture;
  texture.overArray(counted<int>(9), {3, 3, 0}, cudaArrayTextureGather);
  // The footprint of (1, 1) is texels 0 1 3 4; the order: lower left, lower right, upper right, upper left.
  const int4 four = tex2Dgather<int4>(texture.object(), 1, 1);
  EXPECT_EQ(four.x, 3);
  EXPECT_EQ(four.y, 4);
  EXPECT_EQ(four.z, 1);
  EXPECT_EQ(four.w, 0);
}

TEST(Texture, MipmapLevels) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMipmappedArray_t mipmapped = nullptr;
  ASSERT_EQ(cudaMallocMipmappedArray(&mipmapped, &format, {4, 4, 0}, 9), cudaSuccess);
  for (unsigned level = 0; level < 3; ++level) {  // 4x4, 2x2, 1x1
    cudaArray_t array = nullptr;
    ASSERT_EQ(cudaGetMipmappedArrayLevel(&array, mipmapped, level), cudaSuccess);
    const std::vector<float> texels(16, 10.0f * static_cast<float>(level));
    const std::size_t n = 4u >> level;
    EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 4 * n, 4 * n, n, cudaMemcpyHostToDevice),
              cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidValue);  // it goes with the others
  }
  cudaArray_t none = nullptr;
  EXPECT_EQ(cudaGetMipmappedArrayLevel(&none, mipmapped, 3), cudaErrorInvalidValue);

  Texture texture;
  texture.resource().resType = cudaResourceTypeMipmappedArray;
  texture.resource().res.mipmap.mipmap = mipmapped;
  texture.sampling.maxMipmapLevelClamp = 9;
  texture.sampling.normalizedCoords = 1;
  cudaTextureObject_t object = texture.object();
  EXPECT_EQ(tex2D<float>(object, 0, 0), 0);
  EXPECT_EQ(tex2DLod<float>(object, 0, 0, 1.4f), 10);
  EXPECT_EQ(tex2DLod<float>(object, 0, 0, 1.5f), 20);
  EXPECT_EQ(tex2DLod<float>(object, 0, 0, 77), 20);
  // Half the picture from one fetch to the next is two texels: level 1.
  EXPECT_EQ(tex2DGrad<float>(object, 0, 0, float2{0.5f, 0}, float2{0, 0.25f}), 10);
  texture.sampling.mipmapFilterMode = cudaFilterModeLinear;
  object = texture.object();
  EXPECT_EQ(tex2DLod<float>(object, 0, 0, 0.5f), 5);
  EXPECT_EQ(tex2DLod<float>(object, 0, 0, 1.25f), 12.5f);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmapped), cudaSuccess);
  EXPECT_EQ(cudaFreeMipmappedArray(mipmapped), cudaErrorInvalidValue);
}

TEST(Texture, HalvesBecomeFloats) {
  const cudaChannelFormatDesc format = cudaCreateChannelDescHalf();
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &format, 4), cudaSuccess);
  const std::uint16_t halves[] = {0x3c00, 0xc000, 0x0001, 0x7c00};  // 1, -2, 2^-24, infinity
  ASSERT_EQ(cudaMemcpy2DToArray(array, 0, 0, halves, 8, 8, 1, cudaMemcpyHostToDevice), cudaSuccess);
  Texture texture;
  texture.resource().resType = cudaResourceTypeArray;
  texture.resource().res.array.array = array;
  const cudaTextureObject_t object = texture.object();
  EXPECT_EQ(tex1D<float>(object, 0), 1);
  EXPECT_EQ(tex1D<float>(object, 1), -2);
  EXPECT_EQ(tex1D<float>(object, 2), 0x1p-24f);
  EXPECT_GT(tex1D<float>(object, 3), 1e38f);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST(Surface, ReadsAndWritesBytes) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMallocArray(&array, &format, 4, 2, cudaArraySurfaceLoadStore), cudaSuccess);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface = 0;
  ASSERT_EQ(cudaCreateSurfaceObject(&surface, &resource), cudaSuccess);
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) surf2Dwrite(10 * y + x, surface, x * 4, y);
  EXPECT_EQ(surf2Dread<int>(surface, 3 * 4, 1), 13);
  EXPECT_EQ(cuiLastTexel.bytes, 4u);
  // Outside of it: zero and nothing, or the nearest texel.
  EXPECT_EQ(surf2Dread<int>(surface, 4 * 4, 0, cudaBoundaryModeZero), 0);
  EXPECT_EQ(cuiLastTexel.bytes, 0u);
  surf2Dwrite(99, surface, -4, 0, cudaBoundaryModeZero);
  int value = 0;
  surf2Dread(&value, surface, 9 * 4, -1, cudaBoundaryModeClamp);
  EXPECT_EQ(value, 3);
  std::vector<int> back(8);
  EXPECT_EQ(cudaMemcpyFromArray(back.data(), array, 0, 0, 32, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, (std::vector<int>{0, 1, 2, 3, 10, 11, 12, 13}));
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaSuccess);
  EXPECT_EQ(cudaDestroySurfaceObject(surface), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST(Array, ShapesAndFormatsThatThereAreNot) {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc three{32, 32, 32, 0, cudaChannelFormatKindFloat};
  EXPECT_EQ(cudaMallocArray(&array, &three, 4, 4), cudaErrorInvalidValue);
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<unsigned char>();
  EXPECT_EQ(cudaMallocArray(&array, &bytes, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &bytes, {4, 4, 5}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &bytes, {4, 2, 6}, cudaArrayCubemap), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc3DArray(&array, &bytes, {4, 0, 0}, cudaArrayLayered), cudaErrorInvalidValue);

  ASSERT_EQ(cudaMalloc3DArray(&array, &bytes, {4, 3, 2}), cudaSuccess);
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 1;
  ASSERT_EQ(cudaArrayGetInfo(&format, &extent, &flags, array), cudaSuccess);
  EXPECT_EQ(format.x, 8);
  EXPECT_EQ(extent.height, 3u);
  EXPECT_EQ(extent.depth, 2u);
  EXPECT_EQ(flags, 0u);
  // Its rows are four bytes and a slice has three.
  char host[16] = {};
  EXPECT_EQ(cudaMemcpy2DToArray(array, 2, 0, host, 4, 3, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 2, host, 4, 4, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpyToArray(array, 0, 0, host, 13, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(Array, VolumesAreCopiedByTexels) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&array, &format, {3, 2, 2}), cudaSuccess);
  std::vector<short> texels = counted<short>(12), back(2, -1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), 6, 3, 2);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(3, 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  // Two texels from (1, 1) of the second slice on: 6 + 3 + 1 = 10 and 11.
  cudaMemcpy3DParms part = {};
  part.srcArray = array;
  part.srcPos = make_cudaPos(1, 1, 1);
  part.dstPtr = make_cudaPitchedPtr(back.data(), 4, 2, 1);
  part.extent = make_cudaExtent(2, 1, 1);
  part.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&part), cudaSuccess);
  EXPECT_EQ(back, (std::vector<short>{10, 11}));
  part.srcPos.x = 2;  // only one is left in the row
  EXPECT_EQ(cudaMemcpy3D(&part), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

}  // namespace
