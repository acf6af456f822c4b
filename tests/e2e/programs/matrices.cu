// wmma: the products that a warp makes together, of each type the hardware has, and the rows of the tiles it
// moves.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.h"

namespace wmma = nvcuda::wmma;

constexpr int side = 16;

// c = 2 * (a * b + c), with a by rows and b by columns: element (i, j) of both is small and exact in any
// type.
template <class In, class Element, class Out, int k>
__global__ void product(const Element* a, const Element* b, Out* c) {
  wmma::fragment<wmma::matrix_a, side, side, k, In, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, side, side, k, In, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, side, side, k, Out> sum;
  wmma::load_matrix_sync(left, a, k);
  wmma::load_matrix_sync(right, b, k);
  wmma::load_matrix_sync(sum, c, side, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] * Out(2);
  wmma::store_matrix_sync(c, sum, side, wmma::mem_row_major);
}

template <class Element>
Element number(int value) {
  return static_cast<Element>(static_cast<float>(value));
}

template <class In, class Element, class Out, int k>
bool isRight() {
  Element *a, *b;
  Out* c;
  CUDA_CHECK(cudaMallocManaged(&a, side * k * sizeof(Element)));
  CUDA_CHECK(cudaMallocManaged(&b, side * k * sizeof(Element)));
  CUDA_CHECK(cudaMallocManaged(&c, side * side * sizeof(Out)));
  for (int i = 0; i < side * k; ++i) {
    a[i] = number<Element>(i % 7);
    b[i] = number<Element>(i % 5 + 1);
  }
  for (int i = 0; i < side * side; ++i) c[i] = number<Out>(i % 3);
  product<In, Element, Out, k><<<1, 32>>>(a, b, c);
  CUDA_CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      int expected = (row * side + column) % 3;
      for (int i = 0; i < k; ++i) expected += (row * k + i) % 7 * ((column * k + i) % 5 + 1);
      right &= static_cast<float>(c[row * side + column]) == 2 * expected;
    }
  }
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(c));
  return right;
}

// 32-bit sums wrap, or stop at the largest.
__global__ void saturated(int* wrapped, int* stopped) {
  wmma::fragment<wmma::matrix_a, 8, 32, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 8, 32, 16, int> sum, most;
  wmma::fill_fragment(left, 100);
  wmma::fill_fragment(right, 100);
  wmma::fill_fragment(most, 2147483647);
  wmma::mma_sync(sum, left, right, most);
  wmma::store_matrix_sync(wrapped, sum, 8, wmma::mem_col_major);
  wmma::mma_sync(sum, left, right, most, true);
  wmma::store_matrix_sync(stopped, sum, 8, wmma::mem_col_major);
}

// 8 x 8 x 4: the one shape in double precision, here with b by rows.
__global__ void doubles(const double* a, const double* b, double* c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> left;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::load_matrix_sync(left, a, 8);
  wmma::load_matrix_sync(right, b, 8);
  wmma::fill_fragment(sum, 0.0);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, 8, wmma::mem_row_major);
}

int main() {
  EXPECT(isRight<half, half, float, 16>());
  EXPECT(isRight<__nv_bfloat16, __nv_bfloat16, float, 16>());
  EXPECT(isRight<wmma::precision::tf32, float, float, 8>());
  EXPECT(isRight<signed char, signed char, int, 16>());
  EXPECT(isRight<unsigned char, unsigned char, int, 16>());

  int* sums;
  CUDA_CHECK(cudaMallocManaged(&sums, 512 * sizeof(int)));
  saturated<<<1, 32>>>(sums, sums + 256);
  CUDA_CHECK(cudaDeviceSynchronize());
  // 16 products of 10,000.
  for (int i = 0; i < 256; ++i) {
    EXPECT(sums[i] == static_cast<int>(2147483647u + 160000u));
    EXPECT(sums[256 + i] == 2147483647);
  }
  CUDA_CHECK(cudaFree(sums));

  double *a, *b, *c;
  CUDA_CHECK(cudaMallocManaged(&a, 32 * sizeof(double)));
  CUDA_CHECK(cudaMallocManaged(&b, 32 * sizeof(double)));
  CUDA_CHECK(cudaMallocManaged(&c, 64 * sizeof(double)));
  for (int i = 0; i < 32; ++i) {
    a[i] = i + 0.5;
    b[i] = 31 - i;
  }
  doubles<<<1, 32>>>(a, b, c);
  CUDA_CHECK(cudaDeviceSynchronize());
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      double expected = 0;
      for (int i = 0; i < 4; ++i) expected += a[i * 8 + row] * b[i * 8 + column];
      EXPECT(c[row * 8 + column] == expected);
    }
  }
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  CUDA_CHECK(cudaFree(c));
  return verdict();
}
