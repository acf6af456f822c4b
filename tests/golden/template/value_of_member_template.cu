// Values of a dependent class's member template whose type is named without `typename`, which nvcc takes for what it is: of classes and
// of other names of them, as statements, in macros, and called.
// cpu: no, GCC wants the word
// expect: Tile::template Copy<twice>()(in, out);
// expect: CUI_ACCESS(#, out[threadIdx.x]) += Tile::template Same<T>(CUI_ACCESS(#, in[threadIdx.x]));
// expect: CUI_ACCESS(#, out[1]) = DOUBLED(Tile, CUI_ACCESS(#, in[1]));
// expect: CUI_ACCESS(#, to[0]) = twice ? 2 * CUI_ACCESS(#, from[0]) : CUI_ACCESS(#, from[0]);
// expect-not: Clang
#define DOUBLED(Tile, x) Tile::template Copy<true>().of(x)
template <class T> struct Plain {
  template <class U> using Same = U;
  template <bool twice> struct Copy {
    __device__ T of(T x) const { return twice ? 2 * x : x; }
    __device__ void operator()(const T* from, T* to) const { to[0] = twice ? 2 * from[0] : from[0]; }
  };
};
template <class Tile, class T, bool twice> __global__ void copy(const T* in, T* out) {
  Tile::template Copy<twice>()(in, out);
  out[threadIdx.x] += Tile::template Same<T>(in[threadIdx.x]);
  out[1] = DOUBLED(Tile, in[1]);
}
void run(const float* in, float* out) {
  copy<Plain<float>, float, true><<<1, 32>>>(in, out);
  copy<Plain<float>, float, false><<<1, 32>>>(in, out);
}
#undef DOUBLED
