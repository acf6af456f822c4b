// Thrust's kernels copy elements dozens of times, by the program's own constructor where it has one, whose sites then count for
// as many: cicc takes minutes over them otherwise.
// standard: 17 20
// nvcc: no, it takes seconds
// cpu: no, Thrust is not there without a toolkit
// expect: #define CUI_MANY_SITES
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
struct Copied {
  __host__ __device__ Copied() : x(0), y(0), z(0) {}
  __host__ __device__ Copied(const Copied& other) : x(other.x), y(other.y), z(other.z) {}
  float x, y, z;
};
__host__ __device__ Copied operator+(const Copied& a, const Copied& b) {
  Copied sum;
  sum.x = a.x + b.x, sum.y = a.y + b.y, sum.z = a.z + b.z;
  return sum;
}
Copied sumOf(Copied* elements, int count) {
  const thrust::device_ptr<Copied> first(elements);
  return thrust::reduce(first, first + count, Copied());
}
