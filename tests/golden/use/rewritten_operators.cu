// What C++20 writes in other words, `(a <=> b) < 0` and `!(a == b)`: the operands are read as in the plain call.
// standard: 20
// nvcc: no, <compare> is the host's without --expt-relaxed-constexpr
// expect: CUI_ACCESS(#, p[0]) < CUI_ACCESS(#, p[1])
// expect: CUI_ACCESS(#, p[2]) != CUI_ACCESS(#, p[3])
// expect: = u[0] != u[1];
// Whatever its size, unless an operator of the program's own reads one of the members.
// expect: CUI_ACCESS(#, l[0]) == CUI_ACCESS(#, l[1])
// expect: = m[0] == m[1];
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
struct Large {
  int v[3];
  Pair p;
  bool operator==(const Large&) const = default;
};
struct Mixed {
  int v[4];
  Users u;
  bool operator==(const Mixed&) const = default;
};
__global__ void compare(Pair* p, Users* u, Large* l, Mixed* m, bool* out) {
  out[0] = p[0] < p[1];
  out[1] = p[2] != p[3];
  out[2] = p[4] >= p[5];
  out[3] = u[0] != u[1];
  out[4] = l[0] == l[1];
  out[5] = m[0] == m[1];
}
