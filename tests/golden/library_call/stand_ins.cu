// Elements of thrust::device_ptr and its iterators are objects of library code that stand for the memory: rows.
// cpu: no, Thrust is not there without a toolkit
// standard: 17 20
// expect: p[i] = 3;
// expect: float v = p[i + 1];
// expect: *p = v;
// expect: p[4] += v;
// expect: v += it[2];
// expect: an element that an object of library code stands for
// expect-not: "&p[6]
// expect: CUI_ACCESS(#, out[0]) = v;
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
__global__ void standIns(thrust::device_ptr<float> p, thrust::device_vector<float>::iterator it, float* out, int i) {
  p[i] = 3;
  float v = p[i + 1];
  *p = v;
  p[4] += v;
  v += it[2];
  out[0] = v;
  out[1] = thrust::raw_pointer_cast(&p[6]) == out;
}
