// Three-dimensional grids and blocks, with a block that does not fill its warps.
#include <cstring>

#include "check.h"

struct Place {
  unsigned char block[3], thread[3], grid[3], size[3];
};

__global__ void whereAmI(Place* places) {
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  Place place;
  place.block[0] = blockIdx.x, place.block[1] = blockIdx.y, place.block[2] = blockIdx.z;
  place.thread[0] = threadIdx.x, place.thread[1] = threadIdx.y, place.thread[2] = threadIdx.z;
  place.grid[0] = gridDim.x, place.grid[1] = gridDim.y, place.grid[2] = gridDim.z;
  place.size[0] = blockDim.x, place.size[1] = blockDim.y, place.size[2] = blockDim.z;
  places[block * blockDim.x * blockDim.y * blockDim.z + thread] = place;
}

int main() {
  const dim3 grid(2, 3, 2), block(5, 4, 2);
  const int count = 12 * 40;
  Place* places = nullptr;
  CUDA_CHECK(cudaMalloc(&places, count * sizeof(Place)));
  whereAmI<<<grid, block>>>(places);
  static Place result[count];
  CUDA_CHECK(cudaMemcpy(result, places, sizeof result, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(places));
  for (unsigned char i = 0, z = 0; z < 2; ++z)
    for (unsigned char y = 0; y < 3; ++y)
      for (unsigned char x = 0; x < 2; ++x, ++i)
        for (int thread = 0; thread < 40; ++thread) {
          const auto tx = static_cast<unsigned char>(thread % 5);
          const auto ty = static_cast<unsigned char>(thread / 5 % 4);
          const auto tz = static_cast<unsigned char>(thread / 20);
          const Place expected{{x, y, z}, {tx, ty, tz}, {2, 3, 2}, {5, 4, 2}};
          EXPECT(std::memcmp(&result[i * 40 + thread], &expected, sizeof expected) == 0);
        }
  return verdict();
}
