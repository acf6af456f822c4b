// The name comes from the argument, the subscript from the body; the body is what is wrapped.
// expect: #define ELEMENT(name, i) CUI_MACRO_ACCESS(#, name[(i) * 2])
// expect: #define PUSH(stack, x) CUI_MACRO_ACCESS(#, *(stack)++) = (x)
#define ELEMENT(name, i) name[(i) * 2]
#define PUSH(stack, x) *(stack)++ = (x)
__global__ void mixed(float* a, float* b) {
  ELEMENT(a, 1) =
      ELEMENT(b, 2);
  float* top = a;
  PUSH(top, 3);
}
#undef ELEMENT
#undef PUSH
