// A line that is continued without a blank in front of the backslash: to Clang, the next line's first token begins with it.
// expect: CUI_MACRO_ACCESS(#, out[at]) = CUI_MACRO_ACCESS(#, in[at]);
// expect: CUI_MACRO_ACCESS(#, out[at + 1]) = n;
// expect: CUI_ACCESS(#, from[n]);
#define BOTH(out, in, at, n) {\
out[at] = in[at];\
out[at + 1] = n;\
}
__global__ void copy(int* to, const int* from, int n) {
  BOTH(to, from, n, 2)
  int last =\
from[n];
  to[n] = last;
}
