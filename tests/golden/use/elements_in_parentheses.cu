// Arrays of a class that are initialised by their elements, in parentheses and without braces of their own, as only nvcc takes
// them. Those that are narrower are not refused for it, as they would be in braces.
// standard: 20
// cpu: no, GCC wants the braces
// expect: CUI_ACCESS(#, out[0]) = sum(Array<float, 2>(CUI_ACCESS(#, in[0]), CUI_ACCESS(#, in[threadIdx.x])));
// expect: const Array<float2, 2> pairs(CUI_ACCESS(#, points[0]), make_float2(CUI_ACCESS(#, in[2]), CUI_ACCESS(#, in[(n + 1) * (n - 1)])));
// expect: CUI_ACCESS(#, out[1]) = pairs.elements[1].y + sum(Array<float, 2>(CUI_ACCESS(#, counts[0]), n));
// expect-not: Clang
template <class T, int n> struct Array { T elements[n]; };
__device__ float sum(const Array<float, 2>& pair) { return pair.elements[0] + pair.elements[1]; }
template <class T> __global__ void sums(const T* in, const float2* points, const int* counts, T* out, int n) {
  out[0] = sum(Array<float, 2>(in[0], in[threadIdx.x]));
  const Array<float2, 2> pairs(points[0], make_float2(in[2], in[(n + 1) * (n - 1)]));
  out[1] = pairs.elements[1].y + sum(Array<float, 2>(counts[0], n));
}
template __global__ void sums<float>(const float*, const float2*, const int*, float*, int);
