// For the CPU backend the form is a cast, which no compiler evaluates: a constexpr function's elements have a row. Others, and a
// lambda's, which is constexpr only if it can be, are recorded.
// expect: constexpr int third(const Packed& p, int i) { return p.b[i]; }
// expect: [=](int i) { return CUI_PACKED(#, (p->b[i]), p->b[i]); };
// expect: "p.b[i]", "p", "i", "int", "", "", "in a packed structure, in a constexpr function"
// rewrite: --backend=cpu
// nvcc: no, it is for the CPU backend
struct __attribute__((packed)) Packed {
  char tag;
  int b[4];
};
__host__ __device__ constexpr int third(const Packed& p, int i) { return p.b[i]; }
static_assert(third(Packed{0, {1, 2, 3}}, 2) == 3, "");
__global__ void elements(Packed* p, int* out) {
  auto at = [=](int i) { return p->b[i]; };
  out[0] = at(1) + third(*p, 2);
}
