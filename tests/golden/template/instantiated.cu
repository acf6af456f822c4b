// Explicit instantiations that do not repeat their template's attributes: to nvcc they, and the template, are for both sides.
// expect: int find(const int* p, T x) { return CUI_ACCESS(#, p[0]) + x; }
// expect: "Info::find", "p[0]", "p", "0", "int", "", "T=int | T=long"
// expect: T g(T* p) { return CUI_ACCESS(#, p[0]); }
// expect-not: Clang rejects
struct Info {
  template <class T> __host__ __device__ int find(const int* p, T x) { return p[0] + x; }
  template <class T> __device__ int at(const int* p, T x) { return p[1] + x; }
};
#define INSTANTIATE(T)                              \
  template int Info::find<T>(const int* p, T x); \
  template int Info::at<T>(const int* p, T x);
INSTANTIATE(int)
INSTANTIATE(long)
template <class T> __device__ T g(T* p) { return p[0]; }
template int g<int>(int*);
