// What C++20 writes in other words, `(a <=> b) < 0` and `!(a == b)`: the operands are read as in the plain call.
// standard: 20
// nvcc: no, <compare> is the host's without --expt-relaxed-constexpr
// expect: CUI_ACCESS(#, p[0]) < CUI_ACCESS(#, p[1])
// expect: CUI_ACCESS(#, p[2]) != CUI_ACCESS(#, p[3])
// expect: = u[0] != u[1];
#include <compare>
struct Pair {
  int a, b;
  bool operator==(const Pair&) const = default;
  auto operator<=>(const Pair&) const = default;
};
struct Users {
  int a;
  __device__ bool operator==(const Users& other) const { return a == other.a; }
};
__global__ void compare(Pair* p, Users* u, bool* out) {
  out[0] = p[0] < p[1];
  out[1] = p[2] != p[3];
  out[2] = p[4] >= p[5];
  out[3] = u[0] != u[1];
}
