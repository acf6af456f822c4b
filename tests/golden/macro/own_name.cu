// A macro named like its argument, used as a chain of lvalues.
// expect: #define C(q) CUI_MACRO_ACCESS(#, C[index2(q)])
#define index2(q) ((q) * 2)
#define C(q) C[index2(q)]
__global__ void ownName(float* C) {
  float tmp;
  C(1) = tmp =
      C(2) * 3;
  C(0) += tmp;
}
#undef C
#undef index2
