// A bit-field has no address: the access is a site with a reason, and the source stays as it is.
// expect: CUI_ACCESS(#, s[i].whole) = s[i].part;
// expect: s[i].part = 3;
// expect: skipped
struct Bits {
  unsigned part : 3, rest : 29;
  unsigned whole;
};
__global__ void bitfields(Bits* s) {
  int i = threadIdx.x;
  s[i].whole = s[i].part;
  s[i].part = 3;
}
