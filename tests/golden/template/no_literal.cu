// constexpr templates that declare what is no literal in their bodies: nothing of theirs is constant then, and nvcc takes them.
// standard: 14 17 20
// expect: CUI_ACCESS(#, *cursor.at)
// expect: const Cursor cursor(p); return CUI_ACCESS(#, p[1]) + CUI_ACCESS(#, *cursor.at); }
// expect-not: Clang
struct Cursor {
  int* at;
  __host__ __device__ Cursor(int* p) : at(p) {}
  __host__ __device__ ~Cursor() {}
};
template <class T> __host__ __device__ constexpr T second(T* p) { const Cursor cursor(p); return p[1] + *cursor.at; }
template <class T> struct Table {
  T* values;
  __host__ __device__ constexpr T first() const { const Cursor cursor(values); return *cursor.at; }
};
__global__ void use(int* p, Table<int> table) { p[0] = second(p) + table.first(); }
