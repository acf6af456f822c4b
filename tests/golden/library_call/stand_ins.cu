// Elements of thrust::device_ptr and its iterators: objects of library code stand for them, and are handed on as they are. One
// that is kept is accessed where it is named, one that library code is given has a row.
// cpu: no, Thrust is not there without a toolkit
// standard: 17 20
// expect: CUI_ACCESS(#, p[i]) = 3;
// expect: float v = CUI_ACCESS(#, p[i + 1]);
// expect: CUI_ACCESS(#, *p) = v;
// expect: CUI_ACCESS(#, p[4]) += v;
// expect: rmw, generic, instrumented, 4, 0, "standIns", "p[4]", "p", "4", "float", "", "", ""
// expect: v += CUI_ACCESS(#, it[2]);
// expect: CUI_ACCESS(#, p[7]) = CUI_ACCESS(#, p[8]);
// expect: if (CUI_ACCESS(#, p[9]) == CUI_ACCESS(#, p[10])) v = 1;
// expect: auto kept = p[5];
// expect: CUI_REFERRED(#, kept) = v;
// expect: v = CUI_REFERRED(#, kept);
// expect: CUI_REFERRED(#, kept) += CUI_REFERRED(#, other) * 2;
// expect: CUI_REFERRED(#, r) = 1;
// expect: change(p[11]);
// expect: v = thrust::min(kept, kept);
// expect: "standIns", "kept", "kept", "", "float", "", "", "an object of library code that stands for an element is kept"
// expect: "first", "p[0]", "p", "0", "float", "", "P=float *", "an object
// expect-not: "&p[6]
// expect-not: CUI_ACCESS(#, p[6])
// expect: CUI_ACCESS(#, out[0]) = v;
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, p[1]) + 1;
// expect: #define NEXT(p, i) CUI_MACRO_ACCESS(#, (p)[(i) + 1])
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#define NEXT(p, i) (p)[(i) + 1]
template <class P>
__device__ void either(P p) {
  p[0] = p[1] + 1;
}
template <class R>
__device__ void change(R r) {
  r = 1;
}
template <class P>
__device__ void first(P p) {
  auto element = p[0];
  element = 1;
}
__global__ void standIns(thrust::device_ptr<float> p, thrust::device_vector<float>::iterator it, float* out, int i) {
  p[i] = 3;
  float v = p[i + 1];
  *p = v;
  p[4] += v;
  v += it[2];
  p[7] = p[8];
  if (p[9] == p[10]) v = 1;
  auto kept = p[5];
  kept = v;
  v = kept;
  const auto& other = p[5];
  kept += other * 2;
  change(p[11]);
  v = thrust::min(kept, kept);
  first(p);
  first(out);
  out[0] = v;
  out[1] = thrust::raw_pointer_cast(&p[6]) == out;
  either(p);
  either(out);
  NEXT(p, i) =
      NEXT(out, i);
}
