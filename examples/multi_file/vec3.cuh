// Device code shared by several translation units. Each unit gets its own copy of these functions, so the
// program needs no relocatable device code. Only a __device__ function that is *called* across units
// (declared here, defined in one .cu) would need -rdc=true.
#pragma once

struct Vec3 {
  float x, y, z;
};

__host__ __device__ inline float lengthSquared(const Vec3& v) {
  return v.x * v.x + v.y * v.y + v.z * v.z;
}

__device__ inline int threadNumber() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
