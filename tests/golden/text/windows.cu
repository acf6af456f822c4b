// Lines that end in CR LF keep their ends.
// expect: CUI_ACCESS(#, a[0])
#define FIRST(a) \
  a[0]
__global__ void windows(int* a) {
  a[0] = 1;
  FIRST(a) = 2;
}
#undef FIRST
