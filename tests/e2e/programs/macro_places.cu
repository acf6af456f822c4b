// Macros whose text is an access in some expansions and only names an object in others, where nothing is
// recorded. Built with the values: what a store's form gives cannot be named otherwise, nor chosen against a
// variable.
#include "check.h"

struct Body {
  int mass;
  short marks[4];
  float2 place;
};

#define FIELD(body, member) body->member
#define CELL(i) cells[i]
#define OWN(array, i) array[i]

__device__ int twice(const int& value) {
  return 2 * value;
}

__global__ void place(Body* body, int* cells) {
  FIELD(body, mass) = 3;
  FIELD(body, marks)[1] = 4;
  FIELD(body, place).y = 5;
  CELL(1) = 6;
  atomicAdd(&CELL(1), 1);
  CELL(2) = twice(CELL(1));
  int own[2];
  OWN(own, 0) = 8;
  OWN(own, 1) = 9;
  OWN(cells, 3) = OWN(own, 0);
  (body->mass > 3 ? cells[0] : own[0]) = 10;
  cells[0] = own[0] + own[1];
}

int main() {
  Body* body = nullptr;
  int* cells = nullptr;
  CUDA_CHECK(cudaMalloc(&body, sizeof(Body)));
  CUDA_CHECK(cudaMalloc(&cells, 4 * sizeof(int)));
  place<<<1, 1>>>(body, cells);
  CUDA_CHECK(cudaGetLastError());
  Body seen;
  int values[4];
  CUDA_CHECK(cudaMemcpy(&seen, body, sizeof seen, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(values, cells, sizeof values, cudaMemcpyDeviceToHost));
  EXPECT(seen.mass == 3 && seen.marks[1] == 4 && seen.place.y == 5);
  EXPECT(values[0] == 19 && values[1] == 7 && values[2] == 14 && values[3] == 8);
  CUDA_CHECK(cudaFree(body));
  CUDA_CHECK(cudaFree(cells));
  return verdict();
}
