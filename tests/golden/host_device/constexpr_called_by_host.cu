// With constexpr functions on both sides, the host calls those of the device, operators too.
// compile: --expt-relaxed-constexpr
// cpu: no, the flag is nvcc's
// nvcc: no, the flag is not all cases'
// expect: CUI_ACCESS(#, p[0]) = v.x + twice(3);
// expect: const Pair v = Pair{1} + Pair{2};
// expect: return v.x + twice(2);
// expect-not: Clang rejects
struct Pair { int x; };
__device__ constexpr Pair operator+(Pair a, Pair b) { return Pair{a.x + b.x}; }
__device__ constexpr int twice(int a) { return 2 * a; }
__global__ void sum(int* p) { const Pair v = Pair{p[1]} + Pair{1}; p[0] = v.x + twice(3); }
int onHost(int* p) {
  const Pair v = Pair{1} + Pair{2};
  sum<<<1, 1>>>(p);
  return v.x + twice(2);
}
