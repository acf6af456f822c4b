// A loop that is the same in all instantiations of its template, where one of them copies a class's objects or converts the
// toolkit's numbers: copies as the language makes them, and such conversions, make no accesses but those in the text.
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (int, k, 0, <, 8, + 1), (), (#, in[k]), for (int k = 0; k < 8; ++k) kept[k] = in[k];)for
// expect: CUI_FIXED_LOOP_BY_ROW(#, (0, (), (true), ()), 1, (int, k, 0, <, 8, + 1), (), (#, out[k]), for (int k = 0; k < 8; ++k) out[k] = (Out)kept[k];)for
// expect: for (int k = 0; k < 8; ++k) kept[k] = CUI_ACCESS(#, other[k]);
#include <cuda_fp16.h>
struct Point { float x, y; };
struct Table {
  const float* at;
  __device__ float operator[](int k) const { return at[k]; }
};
template <class In, class Out>
__global__ void convert(const In* in, Out* out) {
  In kept[8];
  for (int k = 0; k < 8; ++k) kept[k] = in[k];
  for (int k = 0; k < 8; ++k) out[k] = (Out)kept[k];
}
template __global__ void convert(const float*, float*);
template __global__ void convert(const __half*, float*);
template __global__ void convert(const float*, __half*);
template __global__ void convert(const Point*, Point*);

template <class Other>
__device__ float sum(const Other& other) {
  float kept[8];
  for (int k = 0; k < 8; ++k) kept[k] = other[k];
  return kept[0] + kept[7];
}
__global__ void both(const float* in, float* out) { out[0] = sum(in) + sum(Table{in}); }
