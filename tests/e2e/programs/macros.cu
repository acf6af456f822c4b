// Accesses and launches in macro bodies, and runtime calls whose name one pastes together. Each line that
// expands a macro has a site of its own, and text that is turned into a string stays what it was.
#include <cstring>

#include "check.h"

#define AT(matrix, row, column) matrix[(row) * 4 + (column)]
#define FIRST buffer[0]
#define PUSH(value) *top++ = (value)
#define SWAP(x, y)     \
  do {                 \
    const int old = x; \
    x = y;             \
    y = old;           \
  } while (0)
#define NAME_OF(expression) #expression
#define SUM(pair) ((pair.x) + (pair.y))
#define RUN(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)

__global__ void walk(int* buffer, int* stack, int* transposed) {
  int* top = stack + 4 * threadIdx.x;
  PUSH(FIRST);
  PUSH(AT(buffer, threadIdx.x, 1));
  PUSH(buffer[2]);
  __syncwarp();
  for (int column = 0; column < 4; ++column)
    AT(transposed, column, threadIdx.x) = AT(buffer, threadIdx.x, column);
  __syncwarp();
  if (threadIdx.x == 0) SWAP(transposed[1], transposed[2]);
}

__global__ void sums(const int2* pairs, float* out) {
  out[threadIdx.x] = SUM((float)pairs[threadIdx.x]);
}

int main() {
  EXPECT(std::strcmp(NAME_OF(cudaMalloc(&buffer, 64)), "cudaMalloc(&buffer, 64)") == 0);
  int host[16], stacked[16], swapped[16];
  for (int i = 0; i < 16; ++i) host[i] = i * i;
#define CHECKED(call) CUDA_CHECK(cuda##call)
  int *buffer = nullptr, *stack = nullptr, *transposed = nullptr;
  CUDA_CHECK(cudaMalloc(&buffer, sizeof host));
  CHECKED(Malloc(&stack, sizeof host));
  CHECKED(Malloc(&transposed, sizeof host));
  CUDA_CHECK(cudaMemcpy(buffer, host, sizeof host, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemset(stack, 0, sizeof host));
  RUN(walk, 1, 4, buffer, stack, transposed);
  CHECKED(GetLastError());
  float added[4];
  float* sum = nullptr;
  CUDA_CHECK(cudaMalloc(&sum, sizeof added));
  sums<<<1, 4>>>(reinterpret_cast<const int2*>(buffer), sum);
  CUDA_CHECK(cudaMemcpy(added, sum, sizeof added, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(added[i] == float(host[2 * i] + host[2 * i + 1]));
  CUDA_CHECK(cudaFree(sum));
  CUDA_CHECK(cudaMemcpy(stacked, stack, sizeof host, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(swapped, transposed, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) {
    EXPECT(stacked[4 * i] == 0);
    EXPECT(stacked[4 * i + 1] == (4 * i + 1) * (4 * i + 1));
    EXPECT(stacked[4 * i + 2] == 4);
    for (int j = 0; j < 4; ++j) {
      const int at = i + 4 * j == 1 ? 2 : i + 4 * j == 2 ? 1 : i + 4 * j;  // [1] and [2] were swapped
      EXPECT(swapped[at] == host[4 * i + j]);
    }
  }
  for (int* p : {buffer, stack, transposed}) CHECKED(Free(p));
  return verdict();
}
