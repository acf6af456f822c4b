// Words that templates want and nvcc does without: `template` in front of a member with template arguments that are no types
// (`operator()` is one),
// `typename` in sizeof, and `this->` in front of what a dependent base class has.
// cpu: no, GCC wants them
// expect: CUI_ACCESS(#, l->values[m]) = l->mask.previous<sizeof(int) == 4>(2) + q->two<3, 4>(l->values) + CUI_ACCESS(#, l->values[0]);
// expect: template <int a, int b> __device__ int two(int* p) { return a + b + CUI_ACCESS(#, p[0]); }
// expect: CUI_ACCESS(#, p[0]) = CUI_ACCESS(#, p[1]) + sizeof(Root<T>::Tile);
// expect: __device__ int top() const { return decode(CUI_ACCESS(#, entry[0])) + CUI_ACCESS(#, entry[1]); }
// expect: switch (held.taking.operator()<true>(p)) { case 1: return CUI_ACCESS(#, p[2]); }
// expect: return held->taking.operator()<true>(p) > CUI_ACCESS(#, p[3]); }
// expect-not: Clang
struct Mask {
  template <bool lower> __device__ unsigned previous(unsigned n) const { return lower ? n - 1 : n; }
  template <int a, int b> __device__ int two(int* p) { return a + b + p[0]; }
};
template <class T> struct Leaf { T mask; int values[64]; };
template <class T> __global__ void set(Leaf<T>* l, T* q) {
  const unsigned m = l->mask.previous<true>(threadIdx.x);
  l->values[m] = l->mask.previous<sizeof(int) == 4>(2) + q->two<3, 4>(l->values) + l->values[0];
}
template <class T> struct Root { struct Tile { T key; }; };
template <class T> __global__ void sizes(T* p) { p[0] = p[1] + sizeof(Root<T>::Tile); }
struct Coded { __device__ int decode(int v) const { return v / 2; } };
template <int n> struct List : Coded { int entry[n]; };
template <int n> struct Heap : List<n> {
  using List<n>::entry;
  __device__ int top() const { return decode(entry[0]) + entry[1]; }
};
__global__ void tops(Heap<2>* heap, int* p) { p[0] = heap->top(); }
struct Taking { template <bool first> __device__ int operator()(const int* p) const { return first ? p[0] : p[1]; } };
template <class F> struct Held { F taking; };
template <class F> __device__ int take(Held<F> held, const int* p) {
  switch (held.taking.operator()<true>(p)) { case 1: return p[2]; }
  return held.taking.operator()<false>(p);
}
// Of what nothing instantiates, too.
template <class F> __device__ bool taken(Held<F>* held, const int* p) { return held->taking.operator()<true>(p) > p[3]; }
__global__ void taken(int* p) { p[0] = take(Held<Taking>(), p); }
void run(Leaf<Mask>* l, int* p) { set<<<1, 32>>>(l, &l->mask); sizes<<<1, 1>>>(p); }
