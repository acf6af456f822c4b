// Values of a dependent class's type that is named without `typename`, which nvcc takes for what it is: in expressions, behind `return`, in
// conditions and macros, also where the class is a macro's argument.
// cpu: no, GCC wants the word
// expect: T s = Sum::Type(CUI_ACCESS(#, a[threadIdx.x]));
// expect: s += Sum::Type(2) * CUI_ACCESS(#, a[0]) + Sum::Type(CUI_ACCESS(#, a[1]));
// expect: return Sum::Type(CUI_ACCESS(#, p[0]));
// expect: if (Sum::Type(CUI_ACCESS(#, a[2])) > s) CUI_ACCESS(#, out[0]) = TWICE(CUI_ACCESS(#, a[3]));
// expect: CUI_ACCESS(#, out[1]) = ZERO(Sum) + CUI_ACCESS(#, a[4]);
// expect: CUI_ACCESS(#, out[2]) = AS(Sum::Type, CUI_ACCESS(#, a[5])) + HANDED(Sum, CUI_ACCESS(#, a[6]));
// expect-not: Clang
#define TWICE(x) ((x) * Sum::Type(2))
#define ZERO(T) T::Type(0)
#define AS(type, x) static_cast<float>(type(x))
#define HANDED(T, x) AS(T::Type, x)
template <class T> struct Plus { using Type = T; };
template <class Sum, class T> __device__ T first(const T* p) {
  return Sum::Type(p[0]);
}
template <class T, class Sum> __global__ void reduce(T* a, T* out) {
  T s = Sum::Type(a[threadIdx.x]);
  s += Sum::Type(2) * a[0] + Sum::Type(a[1]);
  if (Sum::Type(a[2]) > s) out[0] = TWICE(a[3]);
  out[threadIdx.x] = s + first<Sum>(a);
  out[1] = ZERO(Sum) + a[4];
  out[2] = AS(Sum::Type, a[5]) + HANDED(Sum, a[6]);
}
void run(float* a) { reduce<float, Plus<float>><<<1, 32>>>(a, a); }
#undef TWICE
#undef ZERO
#undef AS
#undef HANDED
