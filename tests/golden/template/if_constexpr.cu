// A branch that an instantiation discards is instrumented for the one that keeps it.
// standard: 17 20
// expect: CUI_ACCESS(#, p[0]) = 1;
// expect: CUI_ACCESS(#, p[0].x) = 1;
struct Wrapped { int x; };
template <bool Plain, class T>
__global__ void choose(T* p) {
  if constexpr (Plain) p[0] = 1;
  else p[0].x = 1;
}
void run(int* i, Wrapped* w) {
  choose<true><<<1, 1>>>(i);
  choose<false><<<1, 1>>>(w);
}
