// A text is a table in global memory, as a `static const` array is: an alphabet, a name. A known letter is a constant;
// what is printed is read elsewhere.
// expect: CUI_ACCESS(#, out[i]) = CUI_ACCESS(#, "0123456789abcdef"[i & 15]);
// expect: CUI_ACCESS(#, out[i + 1]) = CUI_ACCESS(#, alphabet[i % 26]);
// expect: return CUI_ACCESS(#, letters[i]);
// expect: CUI_ACCESS(#, out[i + 3]) = CUI_ACCESS(#, __func__[i]);
// expect: out[i + 4]) = own[i & 3];
// expect: out[i + 5]) = "constant"[2];
// expect: out[i + 6]) = ("constant")[sizeof("constant") - 2];
// expect: load, global, instrumented, 1, 0, "texts", "\"0123456789abcdef\"[i & 15]", "\"0123456789abcdef\"", "i & 15", "char"
#include <cstdio>
__device__ char pick(const char* letters, int i) {
  return letters[i];
}
__global__ void texts(char* out) {
  const int i = threadIdx.x;
  out[i] = "0123456789abcdef"[i & 15];
  const char* alphabet = "abcdefghijklmnopqrstuvwxyz";
  out[i + 1] = alphabet[i % 26];
  out[i + 2] = pick("xyz", i % 3);
  out[i + 3] = __func__[i];
  const char own[] = "own";
  out[i + 4] = own[i & 3];
  out[i + 5] = "constant"[2];
  out[i + 6] = ("constant")[sizeof("constant") - 2];
  printf("%s\n", "nothing is read here");
}
