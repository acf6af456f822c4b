// Objects with virtual functions in memory, which end: a destructor stores their pointers anew.
#include <new>

#include "check.h"

struct Shape {
  __device__ virtual float area() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  float* last;
  __device__ Square(float s, float* l) : side(s), last(l) {}
  __device__ float area() const override { return side * side; }
  __device__ ~Square() override { *last = area(); }
};

__global__ void make(Square* squares, float* last) {
  new (&squares[threadIdx.x]) Square(threadIdx.x + 1, last + threadIdx.x);
}
__global__ void end(Square* squares) {
  squares[threadIdx.x].Square::~Square();
}

int main() {
  Square* squares;
  float* last;
  CUDA_CHECK(cudaMallocManaged(&squares, 4 * sizeof(Square)));
  CUDA_CHECK(cudaMallocManaged(&last, 4 * sizeof(float)));
  make<<<1, 4>>>(squares, last);
  end<<<1, 4>>>(squares);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < 4; ++i) EXPECT(last[i] == (i + 1) * (i + 1));
  CUDA_CHECK(cudaFree(squares));
  CUDA_CHECK(cudaFree(last));
  return verdict();
}
