// Arrays that structured bindings copy, as a whole, and operands of what C++20 writes for an operator. Asking an
// array where its elements are reads none.
// standard: 17 20
// expect: auto [x, y] = CUI_ACCESS(#, pairs[CUI_ACCESS(#, index[i])]);
// expect: auto [a, b, c] = CUI_ACCESS(#, triples[i].of);
// expect: auto [p, q] = own;
// expect: auto& [r, s] = pairs[i];
// expect: auto [m, n] = counted[i];
// expect: copy, generic, instrumented, 8, 0, "bindings", "pairs[index[i]]"
struct Triple {
  float of[3];
};
struct Counted {
  int n;
  __device__ Counted(const Counted& other) : n(other.n + 1) {}
};
__global__ void bindings(float (*pairs)[2], Triple* triples, Counted (*counted)[2], const int* index, int i) {
  auto [x, y] = pairs[index[i]];
  auto [a, b, c] = triples[i].of;
  float own[2] = {x, y};
  auto [p, q] = own;
  auto& [r, s] = pairs[i];
  r = a + b + c + p + q;
  auto [m, n] = counted[i];
  s = m.n + n.n;
}
