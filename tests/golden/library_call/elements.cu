// Library functions that only give back a reference: the object is not accessed there, its element is where the reference is
// used. A tuple of references leads elsewhere, wherever it is itself.
// standard: 17 20
// cpu: no, they are not there without a toolkit
// expect: CUI_ACCESS(#, CUI_ACCESS(#, out)[0]) = CUI_ACCESS(#, thrust::get<0>(pair)) + CUI_ACCESS(#, thrust::get<1>(pair));
// expect: CUI_ACCESS(#, thrust::get<1>(triples[3])) = 2;
// expect: CUI_ACCESS(#, thrust::get<2>(t)) = CUI_ACCESS(#, thrust::get<0>(t)) * CUI_ACCESS(#, thrust::get<1>(t));
// expect: Product()(thrust::tuple<float&, const float&, float&>(a[0], a[1], a[2]));
// expect: const auto& third = thrust::get<2>(pair);
// expect: return thrust::get<0>(own) + cuda::std::get<1>(own);
// expect: CUI_ACCESS(#, row->values[2]) += CUI_ACCESS(#, row->values.front());
// expect: load, generic, instrumented, 8, 0, "Sum::operator()", "thrust::get<1>(pair)", "thrust::get<1>(pair)", "", "double"
// expect: CUI_ACCESS(#, a[4]) = CUI_ACCESS(#, *row->last) + CUI_ACCESS(#, row[1].last.value());
// expect-not: library code
#include <cuda/std/array>
#include <cuda/std/optional>
#include <thrust/tuple.h>
using Triple = thrust::tuple<float, double, float4>;
struct Sum {
  float* out;
  __device__ void operator()(const Triple& pair, Triple* triples) const {
    out[0] = thrust::get<0>(pair) + thrust::get<1>(pair);
    thrust::get<1>(triples[3]) = 2;
    const auto& third = thrust::get<2>(pair);
    out[1] = third.x;
  }
};
struct Product {
  template <class Tuple> __device__ void operator()(Tuple t) const {
    thrust::get<2>(t) = thrust::get<0>(t) * thrust::get<1>(t);
  }
};
__device__ double owned(float a) {
  thrust::tuple<float, double, float4> own(a, 2, float4());
  return thrust::get<0>(own) + cuda::std::get<1>(own);
}
struct Row { cuda::std::array<float, 8> values; cuda::std::optional<float> last; };
__global__ void elements(float* a, Triple* triples, Row* row) {
  Sum{a}(triples[0], triples);
  Product()(thrust::tuple<float&, const float&, float&>(a[0], a[1], a[2]));
  row->values[2] += row->values.front();
  cuda::std::array<float, 8> own{};
  own[1] = owned(a[3]);
  row->values = own;
  if (row->last.has_value()) a[4] = *row->last + row[1].last.value();
}
