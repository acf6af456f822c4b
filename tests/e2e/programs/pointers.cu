// Pointers to pointers, to arrays and to structs in structs; lists, unions, small and large element types.
#include <cstdint>

#include "check.h"

enum class Color : std::uint8_t { red = 1, green = 2 };

struct Cell {
  Color color;
  bool used;
  std::int64_t count[3];
};

struct Grid {
  int width;
  Cell* cells;
  Cell inner[2];
};

struct Link {
  int value;
  const Link* next;
};

union Word {
  float real;
  std::uint32_t bits;
};

__global__ void tables(int** rows, int (*square)[4], double* sums) {
  const int i = threadIdx.x;
  sums[i] = rows[i][1] + (*square)[i] + square[1][i];
}

__global__ void members(Grid* grid, int* out) {
  const int i = threadIdx.x;
  grid->cells[i].count[2] += grid->width;
  grid->cells[i].used = grid->inner[1].color == Color::green;
  (*grid).cells[i].color = Color::red;
  out[i] = static_cast<int>(grid->cells[i].count[2]);
}

__global__ void follow(const Link* first, int* out) {
  int sum = 0;
  for (const Link* link = first; link != nullptr; link = link->next) sum += link->value;
  *out = sum;
}

__global__ void reinterpret(Word* words, volatile int* flags) {
  words[threadIdx.x].real = 1.0f;
  words[threadIdx.x].bits |= 0x80000000u;
  flags[threadIdx.x] = flags[threadIdx.x] + 1;
}

int main() {
  int* numbers = nullptr;
  CUDA_CHECK(cudaMalloc(&numbers, 16 * sizeof(int)));
  int host[16];
  for (int i = 0; i < 16; ++i) host[i] = i;
  CUDA_CHECK(cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice));
  int* hostRows[4] = {numbers, numbers + 4, numbers + 8, numbers + 12};
  int** rows = nullptr;
  double* sums = nullptr;
  CUDA_CHECK(cudaMalloc(&rows, sizeof hostRows));
  CUDA_CHECK(cudaMalloc(&sums, 4 * sizeof(double)));
  CUDA_CHECK(cudaMemcpy(rows, hostRows, sizeof hostRows, cudaMemcpyHostToDevice));
  tables<<<1, 4>>>(rows, reinterpret_cast<int (*)[4]>(numbers), sums);
  double hostSums[4];
  CUDA_CHECK(cudaMemcpy(hostSums, sums, sizeof hostSums, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(hostSums[i] == (4 * i + 1) + i + (4 + i));

  Cell* cells = nullptr;
  Grid* grid = nullptr;
  CUDA_CHECK(cudaMalloc(&cells, 4 * sizeof(Cell)));
  CUDA_CHECK(cudaMalloc(&grid, sizeof(Grid)));
  CUDA_CHECK(cudaMemset(cells, 0, 4 * sizeof(Cell)));
  const Grid hostGrid{5, cells, {{}, {Color::green, false, {}}}};
  CUDA_CHECK(cudaMemcpy(grid, &hostGrid, sizeof hostGrid, cudaMemcpyHostToDevice));
  members<<<1, 4>>>(grid, numbers);
  Cell hostCells[4];
  CUDA_CHECK(cudaMemcpy(hostCells, cells, sizeof hostCells, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i)
    EXPECT(hostCells[i].color == Color::red && hostCells[i].used && hostCells[i].count[2] == 5 &&
           host[i] == 5);

  Link* links = nullptr;
  CUDA_CHECK(cudaMalloc(&links, 3 * sizeof(Link)));
  const Link hostLinks[] = {{1, links + 2}, {10, nullptr}, {100, links + 1}};
  CUDA_CHECK(cudaMemcpy(links, hostLinks, sizeof hostLinks, cudaMemcpyHostToDevice));
  follow<<<1, 1>>>(links, numbers);
  CUDA_CHECK(cudaMemcpy(host, numbers, sizeof(int), cudaMemcpyDeviceToHost));
  EXPECT(host[0] == 111);

  Word* words = nullptr;
  CUDA_CHECK(cudaMalloc(&words, 4 * sizeof(Word)));
  CUDA_CHECK(cudaMemset(numbers, 0, sizeof host));
  reinterpret<<<1, 4>>>(words, numbers);
  Word hostWords[4];
  CUDA_CHECK(cudaMemcpy(hostWords, words, sizeof hostWords, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) EXPECT(hostWords[i].real == -1.0f && host[i] == 1);

  for (void* p :
       {(void*)numbers, (void*)rows, (void*)sums, (void*)cells, (void*)grid, (void*)links, (void*)words})
    CUDA_CHECK(cudaFree(p));
  return verdict();
}
