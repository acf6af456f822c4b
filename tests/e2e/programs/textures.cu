// Textures and surfaces: over linear memory, over an array with and without filtering, in a template and in a macro.
#include "check.h"

#define TEXEL(t, x, y) tex2D<float>(t, (x) + 0.5f, (y) + 0.5f)

__global__ void backwards(float* out, cudaTextureObject_t numbers) {
  out[threadIdx.x] = tex1Dfetch<float>(numbers, 31 - threadIdx.x);
}

template <class T>
__global__ void sample(T* out, cudaTextureObject_t picture) {
  const int x = threadIdx.x, y = threadIdx.y;
  T right;
  tex2D(&right, picture, x + 1.5f, y + 0.5f);
  out[y * 8 + x] = TEXEL(picture, x, y) + right;
}

__global__ void twice(cudaSurfaceObject_t picture) {
  const int x = threadIdx.x * 4, y = threadIdx.y;
  surf2Dwrite(2 * surf2Dread<float>(picture, x, y), picture, x, y);
}

cudaTextureObject_t textureOf(const cudaResourceDesc& resource, cudaTextureAddressMode mode) {
  cudaTextureDesc sampling = {};
  sampling.addressMode[0] = sampling.addressMode[1] = mode;
  cudaTextureObject_t texture = 0;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));
  return texture;
}

int main() {
  float host[32], result[32];
  for (int i = 0; i < 32; ++i) host[i] = static_cast<float>(i);
  float *numbers = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&numbers, sizeof host));
  CUDA_CHECK(cudaMalloc(&out, sizeof host));
  CUDA_CHECK(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice));
  cudaResourceDesc linear = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear.devPtr = numbers;
  linear.res.linear.desc = cudaCreateChannelDesc<float>();
  linear.res.linear.sizeInBytes = sizeof host;
  const cudaTextureObject_t byNumber = textureOf(linear, cudaAddressModeClamp);
  backwards<<<1, 32>>>(out, byNumber);
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) EXPECT(result[i] == 31 - i);

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t picture = nullptr;
  CUDA_CHECK(cudaMallocArray(&picture, &format, 8, 4, cudaArraySurfaceLoadStore));
  CUDA_CHECK(cudaMemcpy2DToArray(picture, 0, 0, host, 32, 32, 4, cudaMemcpyHostToDevice));
  cudaResourceDesc array = {};
  array.resType = cudaResourceTypeArray;
  array.res.array.array = picture;
  const cudaTextureObject_t byPlace = textureOf(array, cudaAddressModeBorder);
  cudaSurfaceObject_t surface = 0;
  CUDA_CHECK(cudaCreateSurfaceObject(&surface, &array));
  const dim3 block(8, 4);
  twice<<<1, block>>>(surface);
  sample<<<1, block>>>(out, byPlace);
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  // The right neighbour of the last column is the border: 0.
  for (int i = 0; i < 32; ++i) EXPECT(result[i] == 2 * i + (i % 8 == 7 ? 0 : 2 * (i + 1)));

  cudaMipmappedArray_t pyramid = nullptr;
  CUDA_CHECK(cudaMallocMipmappedArray(&pyramid, &format, make_cudaExtent(8, 4, 0), 3));
  CUDA_CHECK(cudaFreeMipmappedArray(pyramid));

  CUDA_CHECK(cudaDestroyTextureObject(byNumber));
  CUDA_CHECK(cudaDestroyTextureObject(byPlace));
  CUDA_CHECK(cudaDestroySurfaceObject(surface));
  CUDA_CHECK(cudaFreeArray(picture));
  CUDA_CHECK(cudaFree(numbers));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
