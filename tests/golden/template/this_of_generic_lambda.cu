// Members of elements in a generic lambda of a class's template, which no one here instantiates: whether they are bit
// fields is asked with `sizeof` on the device's side alone, as GCC loses the `this` there.
// standard: 17 20
// expect: CUI_ADDRESSED(#, (*this)[i].y) += CUI_ADDRESSED(#, (*this)[i].x);
struct Pair {
  float x, y;
};
template <class T> struct View {
  T* data;
  __host__ __device__ T& operator[](int i) const { return data[i]; }
};
template <class F> __host__ __device__ void forEach(F f) {
  for (int i = 0; i < 4; ++i) f(i);
}
template <class T> struct Cleared : View<T> {
  __host__ __device__ void clear() {
    forEach([&](auto i) {
      if constexpr (sizeof(i) > 4)
        (*this)[i].x = 1;
      else
        (*this)[i].y += (*this)[i].x;
    });
  }
};
template <class T> __host__ __device__ void clearAll(T* p) {
  Cleared<T>{p}.clear();
}
#if defined(CUI_UNIT)
// Only compilers of the result see these.
__global__ void clears(Pair* p) { clearAll(p); }
void clearOnHost(Pair* p) { clearAll(p); }
#endif
