// Members at their own addresses: bit fields, packed, over-aligned and vector types, unions, and what a
// constructor's initialisers store.
#include <new>

#include "check.h"

struct Flags {
  unsigned low : 4;
  unsigned high : 4;
  unsigned long long whole : 40;
};

struct __attribute__((packed)) Packed {
  char tag;
  int value;
};

struct alignas(32) Wide {
  float x;
  float4 last;
};

union Word {
  float number;
  unsigned char bytes[4];
};

struct Point {
  float x;
  int kind = 0;
  float y;
  __device__ Point(float x, const float* from) : x(x), y(from[0]) {}
};

__global__ void members(Flags* flags, Packed* packed, Wide* wide, Word* words, float* out) {
  const int i = threadIdx.x;
  flags[i].high = flags[i].low + 1;
  (flags + i)->whole += 7;
  packed[i].value = 3;
  wide[i].last.y = packed[i].value;
  words[i].bytes[2] = 0;
  out[i] = words[i].number;
}

__global__ void construct(Point* points, const float* from) {
  new (&points[threadIdx.x]) Point(1, from + threadIdx.x);
}

int main() {
  Flags* flags = nullptr;
  Packed* packed = nullptr;
  Wide* wide = nullptr;
  Word* words = nullptr;
  Point* points = nullptr;
  float* out = nullptr;
  CUDA_CHECK(cudaMalloc(&flags, 4 * sizeof(Flags)));
  CUDA_CHECK(cudaMalloc(&packed, 4 * sizeof(Packed)));
  CUDA_CHECK(cudaMalloc(&wide, 4 * sizeof(Wide)));
  CUDA_CHECK(cudaMalloc(&words, 4 * sizeof(Word)));
  CUDA_CHECK(cudaMalloc(&points, 4 * sizeof(Point)));
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(float)));
  Flags hostFlags[4] = {{1, 0, 0}, {2, 0, 1}, {3, 0, 2}, {4, 0, 3}};
  const Word one = {1.0f};
  const Word hostWords[4] = {one, one, one, one};
  CUDA_CHECK(cudaMemcpy(flags, hostFlags, sizeof hostFlags, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(words, hostWords, sizeof hostWords, cudaMemcpyHostToDevice));
  members<<<1, 4>>>(flags, packed, wide, words, out);
  construct<<<1, 4>>>(points, out);
  Wide hostWide[4];
  float result[4];
  CUDA_CHECK(cudaMemcpy(hostFlags, flags, sizeof hostFlags, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(hostWide, wide, sizeof hostWide, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < 4; ++i)
    EXPECT(hostFlags[i].low == i + 1 && hostFlags[i].high == i + 2 && hostFlags[i].whole == i + 7 &&
           hostWide[i].last.y == 3 && result[i] == 0.5f);
  struct Plain {
    float x;
    int kind;
    float y;
  } hostPoints[4];
  CUDA_CHECK(cudaMemcpy(hostPoints, points, sizeof hostPoints, cudaMemcpyDeviceToHost));
  for (const Plain& point : hostPoints) EXPECT(point.x == 1 && point.y == 0.5f);
  for (void* memory : {static_cast<void*>(flags), static_cast<void*>(packed), static_cast<void*>(wide),
                       static_cast<void*>(words), static_cast<void*>(points), static_cast<void*>(out)})
    CUDA_CHECK(cudaFree(memory));
  return verdict();
}
