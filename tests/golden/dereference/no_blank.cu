// Nothing stands between a keyword and the star: the form is kept apart from it by an empty comment.
// expect: else/**/CUI_ACCESS(#, *p) = 1;
// expect: return/**/CUI_ACCESS(#, *p);
// expect: return/**//**/CUI_ACCESS(#, *p) + 1;
__device__ int noBlank(int* p) {
  if (!p) return 0;
  else*p = 1;
  if (p[1]) return/**/*p + 1;
  return*p;
}
__global__ void run(int* p) { p[2] = noBlank(p); }
