// With constexpr functions on both sides, a lambda of the host's stays one, though it could be constexpr: what it launches is a
// launch, and what it reads is the host's. So does a function that launches something itself.
// compile: --expt-relaxed-constexpr
// standard: 17 20
// cpu: no, the flag is nvcc's
// expect: run([=] { CUI_LAUNCH(#, fill CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(32)CUI_LAUNCH_CLOSE(>>>)(p)); });
// expect: auto read = [](const int* q) { return q[1]; };
// expect: constexpr int second(const int* q) { return CUI_ACCESS(#, q[1]); }
// expect: auto inside = [=](int i) { return CUI_ACCESS(#, p[i]); };
// expect: if (values[0] == n) return;
// expect: constexpr T first() const { return CUI_ACCESS(#, CUI_ACCESS(#, values)[0]); }
// expect: CUI_LAUNCH(#, fill CUI_LAUNCH_OPEN(<<<)CUI_GRID(1), CUI_BLOCK(n)CUI_LAUNCH_CLOSE(>>>)(values));
// expect-not: a launch from device code
constexpr int second(const int* q) { return q[1]; }
__global__ void fill(int* p) {
  auto inside = [=](int i) { return p[i]; };
  p[0] = inside(2);
}
template <class F> void run(F function) { function(); }
int launch(int* p) {
  run([=] { fill<<<1, 32>>>(p); });
  auto read = [](const int* q) { return q[1]; };
  return read(p) + second(p);
}
template <class T> struct Cells {
  T* values;
  constexpr void clear(int n) {
    if (values[0] == n) return;
    fill<<<1, n>>>(values);
  }
  constexpr T first() const { return values[0]; }
};
void clear(Cells<int> cells, int n) { cells.clear(n); }
