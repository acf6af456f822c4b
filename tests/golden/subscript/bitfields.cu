// A bit-field has no address, so the structure is wrapped: recorded is its storage unit, which a store also reads.
// expect: CUI_ACCESS(#, s[i].whole) = CUI_FIELD(#, 4, 0, s[i]).part;
// expect: CUI_FIELD(#, 4, 0, s[i]).part = 3;
// expect: CUI_ARROW_FIELD(#, 4, 4, p)->high += CUI_ARROW_FIELD(#, 1, 8, p)->letter;
// expect: CUI_FIELD(#, 8, 16, p->in).wide = 1;
// expect: CUI_ARROW_FIELD(#, 4, 4, CUI_ACCESS(#, where[i]))->anonymous = 1;
// expect: load, generic, instrumented, 4, 0, "bitfields", "s[i].part", "s", "i"
// expect: rmw, generic, instrumented, 4, 0, "bitfields", "s[i].part", "s", "i"
struct Bits {
  unsigned part : 3, rest : 29;
  unsigned whole;
};
struct More {
  int first;
  unsigned low : 16, high : 16;
  char letter : 5;
  struct { long long pad0, pad1; long long wide : 40; } in;
};
struct Nested {
  int first;
  struct { unsigned anonymous : 2; };
};
__global__ void bitfields(Bits* s, More* p, Nested** where) {
  int i = threadIdx.x;
  s[i].whole = s[i].part;
  s[i].part = 3;
  p->high += p->letter;
  p->in.wide = 1;
  where[i]->anonymous = 1;
}
