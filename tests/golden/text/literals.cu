// Text that looks like code: strings, raw strings, characters, digit separators, comments.
// expect: const char* s = R"(a[i] CUI_ACCESS(1, a[0]) ")" "a[1]";
// expect: CUI_ACCESS(#, a[1'0]) = ')' + CUI_ACCESS(#, a[/* a[2] */ 3]);
const char* s = R"(a[i] CUI_ACCESS(1, a[0]) ")" "a[1]";
__global__ void literals(int* a) {
  a[1'0] = ')' + a[/* a[2] */ 3];
  a[ // comment a[4] \
     continued
     5] = '"';
}
