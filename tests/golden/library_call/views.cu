// Classes of the library that lead to elements elsewhere: a span, an mdspan, iterators, a unique_ptr, a reference_wrapper, an
// annotated_ptr.
// What their methods give back is accessed where it is used, whatever the view itself is stored in.
// standard: 17 20
// cpu: no, they are not there without a toolkit
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, in[i + 1]) + CUI_ACCESS(#, in.front());
// expect: CUI_ACCESS(#, out.back()) = CUI_ACCESS(#, *in.begin()) + CUI_ACCESS(#, in.begin()[2]);
// expect: for (float& x : out) CUI_ACCESS(#, x) = 0;
// expect: for (float x : CUI_EACH(#, in.subspan(1))) CUI_ACCESS(#, out[0]) += x;
// expect: load, generic, instrumented, 4, 1, "spans", "in.subspan(1)", "in.subspan(1)", "", "float", "", "", ""
// expect: CUI_ACCESS(#, m(1, i)) = CUI_ACCESS(#, m(i, 1));
// expect: CUI_ACCESS(#, (CUI_ACCESS(#, *rows))[i]) += CUI_ACCESS(#, CUI_ACCESS(#, rows[1])[0]);
// expect: CUI_ACCESS(#, *backwards) = 2;
// expect: CUI_ACCESS(#, some[i]) = CUI_ACCESS(#, *one);
// expect: cuda::std::reference_wrapper<float> to = out[7];
// expect: CUI_ACCESS(#, to.get()) = 3;
// expect: CUI_ACCESS(#, marked[i]) = CUI_ACCESS(#, *marked);
// expect: CUI_ACCESS(#, out[8]) = CUI_REFERRED(#, to);
// expect: load, generic, instrumented, 4, 0, "others", "to", "to", "", "float", "", "", ""
// expect: static_cast<float&>(CUI_REFERRED(#, to)) += CUI_REFERRED(#, cuda::std::ref(out[9]));
// expect: CUI_ACCESS(#, *out) = CUI_REFERRED(#, CUI_ACCESS(#, from));
#include <cuda/annotated_ptr>
#include <cuda/std/iterator>
#include <cuda/std/mdspan>
#include <cuda/std/memory>
#include <cuda/std/span>
#include <cuda/std/functional>
__global__ void spans(cuda::std::span<float> out, cuda::std::span<const float> in, int i) {
  out[i] = in[i + 1] + in.front();
  out.back() = *in.begin() + in.begin()[2];
  for (float& x : out) x = 0;
  for (float x : in.subspan(1)) out[0] += x;
}
template <class From>
__device__ void read(const From& from, float* out) {
  *out = from;
}
__global__ void others(cuda::std::mdspan<float, cuda::std::dextents<int, 2>> m, cuda::std::span<float>* rows, float* out, int i) {
  m(1, i) = m(i, 1);
  (*rows)[i] += rows[1][0];
  auto backwards = cuda::std::make_reverse_iterator(out + 4);
  *backwards = 2;
  cuda::std::unique_ptr<float> one(out);
  cuda::std::unique_ptr<float[]> some(out + 1);
  some[i] = *one;
  one.release();
  some.release();
  cuda::std::reference_wrapper<float> to = out[7];
  to.get() = 3;
  cuda::annotated_ptr<float, cuda::access_property::global> marked(out + 8);
  marked[i] = *marked;
  out[8] = to;
  read(to, out + 9);
  read(*out, out + 9);
  static_cast<float&>(to) += cuda::std::ref(out[9]);
}
