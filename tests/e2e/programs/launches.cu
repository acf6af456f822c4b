// The forms of launches: one to four arguments, unbraced branches, loops, a kernel in a variable, an
// overloaded kernel, configurations in braces and from macros, null pointer arguments, arguments by value and by conversion, a default argument, lists and templates from macros, one before main(),
// kernels of their arguments' namespaces.
#include "check.h"

struct Pair {
  int first, second;
};

__global__ void add(int* out, int value) {
  out[threadIdx.x] += value;
}
__global__ void add(int* out, Pair pair) {
  out[threadIdx.x] += pair.first * pair.second;
}
__global__ void addOptional(int* out, const int* optional) {
  out[threadIdx.x] += optional ? optional[0] : 1000;
}
__global__ void nothing() {}
template <int a, int b>
constexpr int four() {
  return a * b;
}

namespace beside {
struct Cells {
  int* out;
};
__global__ void lift(Cells cells, int by) {
  cells.out[threadIdx.x] += by;
}
}  // namespace beside
template <class T>
void liftAll(T cells) {
  lift<<<1, 4>>>(cells, 14);
}

int *memory, early = (nothing<<<1, 2>>>(), 0);
void addByDefault(int launched = (add<<<1, 4>>>(memory, 10), 0)) {
  (void)launched;
}

int main(int argc, char**) {
  int* out = nullptr;
  CUDA_CHECK(cudaMalloc(&out, 4 * sizeof(int)));
  CUDA_CHECK(cudaMemset(out, 0, 4 * sizeof(int)));
  cudaStream_t stream;
  CUDA_CHECK(cudaStreamCreate(&stream));

  if (argc > 0)
    add<<<1, 4>>>(out, 1);
  else
    add<<<1, 4>>>(out, 100);
  for (int i = 0; i < 3; ++i) add<<<dim3(1), dim3(4), 0>>>(out, i);
  switch (argc) {
    case 0:
      add<<<1, 4>>>(out, 200);
      break;
    default:
      add<<<1, 4, 0, cudaStreamDefault>>>(out, 'a' - 96);
      break;
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  add<<<1, dim3{4, 1, 1}, 16, stream>>>(out, Pair{2, 3});
  CUDA_CHECK(cudaStreamSynchronize(stream));
  addOptional<<<1, 4>>>(out, nullptr);
  addOptional<<<1, 4>>>(out, NULL);
  addOptional<<<1, 4>>>(out, 0);
  void (*kernel)(int*, const int*) = addOptional;
  kernel<<<1, 4>>>(out, nullptr);
  argc > 0 ? nothing<<<1, 1>>>() : void();
  [&] { add<<<1, 4>>>(out, 5); }();
  add<<<{}, {4, 1}, 0, stream>>>(out, 6);
#define ARGUMENTS(grid, block) <<<grid, block>>>
#define SIZES 1, 4, 16
  add ARGUMENTS(dim3(1, 1), 4)(out, 7);
  add ARGUMENTS(1, 4)(out, Pair{2, 4});
  add<<<SIZES>>>(out, 9);
  memory = out;
  addByDefault();
#define RUN(...) add<<<__VA_ARGS__>>>(out, 11)
  int evaluated = 2;
  RUN({1, 1}, dim3(++evaluated + 1));
  RUN(1, four<2, 2>(), sizeof(int), stream);
  EXPECT(evaluated == 3);
  RUN(1, 4, {});
  RUN(four<1, 1>(), {4, 1}, {sizeof(int)}, {stream});
  const auto addBySizes = [](int launched = (add<<<SIZES>>>(memory, 12), 0)) { (void)launched; };
  addBySizes();
  lift<<<1, 4>>>(beside::Cells{out}, 13);
  liftAll(beside::Cells{out});

  int result[4];
  CUDA_CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(result[i] == 1 + (0 + 1 + 2) + 1 + 6 + 4 * 1000 + 5 + 6 + 7 + 8 + 9 + 10 + 44 + 12 + 13 + 14);
  CUDA_CHECK(cudaStreamDestroy(stream));
  CUDA_CHECK(cudaFree(out));
  return verdict();
}
