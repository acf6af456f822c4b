// What objects have pointers for: members of reference type, virtual functions, in memory that a kernel made them
// in. Arrays that structured bindings copy, and what objects are converted to.
#include <new>

#include "check.h"

struct View {
  int scale;
  float& to;
  __device__ View(int scale, float& to) : scale(scale), to(to) {}
  __device__ void add(float more) { to += more; }
};

struct Shape {
  float side;
  __device__ Shape(float side) : side(side) {}
  __device__ virtual float area() const { return 0; }
};
struct Square : Shape {
  __device__ Square(float side) : Shape(side) {}
  __device__ float area() const override { return side * side; }
};

__global__ void make(View* views, Square* squares, float* out) {
  const int i = threadIdx.x;
  new (views + i) View(2, out[i]);
  new (squares + i) Square(i + 1);
}

__global__ void use(View* views, Shape* first, const Square* squares) {
  const int i = threadIdx.x;
  views[i].to = squares[i].area();
  views[i].add(1);
  __syncthreads();
  if (i == 0) views[3].to += first->area();
}

__global__ void sum(const float (*pairs)[2], float* out) {
  const int i = threadIdx.x;
  const auto [x, y] = pairs[i];
  out[i] += x + y;
}

struct Handle {
  float* at;
  __device__ operator float&() const { return *at; }
};
__global__ void convert(float* out) {
  const Handle own{out + threadIdx.x};
  const float before = own;
  float& named = own;
  named = before + 1;
}

int main() {
  View* views = nullptr;
  Square* squares = nullptr;
  float* out = nullptr;
  CUDA_CHECK(cudaMalloc(&views, 4 * sizeof(View)));
  CUDA_CHECK(cudaMalloc(&squares, 4 * sizeof(Square)));
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(float)));
  make<<<1, 4>>>(views, squares, out);
  use<<<1, 4>>>(views, squares, squares);
  float (*pairs)[2] = nullptr;
  const float hostPairs[4][2] = {{1, 0}, {0, 2}, {1, 2}, {4, 0}};
  CUDA_CHECK(cudaMalloc(&pairs, sizeof hostPairs));
  CUDA_CHECK(cudaMemcpy(pairs, hostPairs, sizeof hostPairs, cudaMemcpyHostToDevice));
  sum<<<1, 4>>>(pairs, out);
  convert<<<1, 4>>>(out);
  float result[4];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  EXPECT(result[0] == 4 && result[1] == 8 && result[2] == 14 && result[3] == 23);
  for (void* memory : {static_cast<void*>(views), static_cast<void*>(squares), static_cast<void*>(out),
                       static_cast<void*>(pairs)})
    CUDA_CHECK(cudaFree(memory));
  return verdict();
}
