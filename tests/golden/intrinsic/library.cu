// Library functions that store through a pointer operand.
// expect: sincosf(CUI_ACCESS(#, a[0]), CUI_POINTER(#, &a[1]), CUI_POINTER(#, &a[2]));
// expect: sincosf(CUI_ACCESS(#, a[3]), &s, &c);
// expect: float whole = modff(CUI_ACCESS(#, a[4]), CUI_POINTER(#, a + 5));
__global__ void library(float* a) {
  float s, c;
  sincosf(a[0], &a[1], &a[2]);
  sincosf(a[3], &s, &c);
  float whole = modff(a[4], a + 5);
  a[6] = s + c + whole;
}
