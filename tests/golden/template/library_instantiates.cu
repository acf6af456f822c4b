// Library code instantiates functors where nobody sees it (Thrust's kernels): the pattern tells what an access
// is. What is const, an operand, an index, a condition or a returned value is read; a pointer that is subscripted
// is, too; what is left of `=` is written. What a function of the program's takes by reference is accessed there.
// What only the instantiation can tell stays both.
// standard: 17 20
// expect: return CUI_ACCESS(#, CUI_ACCESS(#, values)[CUI_ACCESS(#, CUI_ACCESS(#, column)[i])]);
// expect: clear(CUI_ACCESS(#, values)[i + 9]);
// expect: T& alias(CUI_ACCESS(#, values)[i + 10]);
// expect: load, generic, instrumented, 0, 0, "Product::operator()", "p.a"
// expect: store, generic, instrumented, 0, 0, "Update::operator()", "values[i]"
// expect: load, generic, instrumented, 0, 0, "Update::operator()", "values[i + 6]"
// expect: load, generic, instrumented, 0, 1, "Update::operator()", "values[i + 7]"
// expect: rmw, generic, instrumented, 0, 0, "Update::operator()", "values[i + 12]"
// expect: rmw, generic, instrumented, 0, 0, "Update::operator()", "values[i + 13]"
// expect: load, generic, instrumented, 0, 0, "Update::operator()", "mask[i + 14]"
#include <cuda_runtime.h>

#include <utility>

template <class T>
__host__ __device__ T doubled(const T& x) {
  return x + x;
}
template <class T>
__host__ __device__ void clear(T& x) {
  x = T();
}
template <class A, class B>
struct Pair {
  A a;
  B b;
};

template <class T>
struct Product {
  __host__ __device__ T operator()(const Pair<T, T>& p) const { return p.a * p.b; }
};

template <class T>
struct Update {
  T* values;
  const T* mask;
  __device__ void operator()(int i) const {
    if (mask[i]) values[i] = -values[i + 1];
    auto copy = values[i + 2];
    values[i + 3] += copy < mask[i + 4] ? values[i + 5] : T(values[i + 6]);
    while (values[i + 7]) --values[i + 7];
    values[i] = static_cast<T>(mask[i]) * doubled(values[i + 8]);
    clear(values[i + 9]);
    T& alias(values[i + 10]);
    alias = T{mask[i + 11]};
    using std::swap;
    swap(values[i], values[i + 12]);
    unknownFunction(values[i + 13], mask[i + 14]);
  }
};

template <class T, class I>
struct Gather {
  const T* values;
  const I* column;
  __device__ T operator()(int i) const { return values[column[i]]; }
};

template <class T>
struct Node {
  T value;
  Node* next;
  __device__ T third() const { return next->next->value; }
};

template <class T, std::size_t... i>
__device__ T dot(const T* a, T* b, std::index_sequence<i...>) {
  return ((a[i] * b[i]) + ...) + (b[i] + ...);
}
