// An access in a macro's body is wrapped in the #define; each line that expands it is a site.
// expect: #define AT(i) (CUI_MACRO_ACCESS(#, a[i]))
// expect: AT(0) =
// expect: CUI_MACRO_SITES({
#define AT(i) (a[i])
__global__ void body(int* a) {
  AT(0) =
      AT(1);
  AT(2) += 1;
}
#undef AT
