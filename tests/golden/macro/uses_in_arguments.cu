// Uses of a macro in another one's argument, several on a line: each is a site of its own, as it is without the
// outer macro. What the outer macro names twice is one text, and one site.
// compile: -Werror
// expect: BODY(CUI_ACCESS(#, AT(a, i)) = CUI_ACCESS(#, AT(b, i)));
// expect: WHEN(CUI_ACCESS(#, CELL(1)) > 0, CUI_ACCESS(#, CELL(2)) += CUI_ACCESS(#, CELL(3)));
// expect: BODY(CUI_ACCESS(#, LAST(1)) = 1; BODY(CUI_ACCESS(#, LAST(2)) = 2));
// expect: #define ONE(i) CUI_MACRO_ACCESS(#, a[i])
// expect: TWICE(ONE(4) += 1);
#define BODY(...) do { __VA_ARGS__; } while (0)
#define WHEN(condition, ...) if (condition) { __VA_ARGS__; }
#define TWICE(x) x, x
#define AT(p, i) (p)[i]
#define CELL(i) (a[(i)])
#define LAST(i) *(b - (i))
#define ONE(i) a[i]
__global__ void arguments(float* a, const float* b, float* c, int i) {
  BODY(AT(a, i) = AT(b, i));
  WHEN(CELL(1) > 0, CELL(2) += CELL(3));
  TWICE(ONE(4) += 1);
}
__device__ void last(int* b) {
  BODY(LAST(1) = 1; BODY(LAST(2) = 2));
}
