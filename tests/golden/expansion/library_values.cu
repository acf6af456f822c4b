// What is copied as it is has no sites: none of Thrust's kernels has many.
// standard: 17 20
// nvcc: no, it takes seconds
// cpu: no, Thrust is not there without a toolkit
// expect-not: #define CUI_MANY_SITES
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
struct Value {
  __host__ __device__ Value() : x(0), y(0), z(0) {}
  float x, y, z;
};
__host__ __device__ Value operator+(const Value& a, const Value& b) {
  Value sum;
  sum.x = a.x + b.x, sum.y = a.y + b.y, sum.z = a.z + b.z;
  return sum;
}
Value sumOf(Value* elements, int count) {
  const thrust::device_ptr<Value> first(elements);
  return thrust::reduce(first, first + count, Value());
}
