// Operators of a class that is a number, too: where C++ calls it ambiguous, nvcc and GCC take the program's own, for which
// the language converts a number, not the built-in one, for which the class would.
// expect: auto half = 0.5 * v[3];
// expect: CUI_ACCESS(#, v[1]) = CUI_ACCESS(#, d[0]) * v[2] - 3.0 / 2;
// expect: CUI_ACCESS(#, v[4]) = v[5] * CUI_ACCESS(#, i[0]);
struct Halves {
  float x, y;
  __host__ __device__ Halves(float x = 0, float y = 0) : x(x), y(y) {}
  __host__ __device__ operator float() const { return x; }
  __host__ __device__ Halves operator-(const float& other) const { return Halves(x - other, y - other); }
};
__host__ __device__ inline Halves operator*(const float& a, const Halves& b) { return Halves(a * b.x, a * b.y); }
#define TIMES(first, second)                                                     \
  __host__ __device__ inline Halves operator*(const first& b, const second& a) { \
    return Halves(a * b.x, a * b.y);                                             \
  }
TIMES(Halves, float)

__global__ void preferredOperators(Halves* v, const double* d, const int* i) {
  auto half = 0.5 * v[3];
  v[0] = half;
  v[1] = d[0] * v[2] - 3.0 / 2;
  v[4] = v[5] * i[0];
}
