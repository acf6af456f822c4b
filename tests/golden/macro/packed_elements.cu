// What lies in a packed structure, in macros: the text is named twice where that holds no access of an argument's.
// expect: #define ELEMENT(s, i) CUI_MACRO_PACKED(#, ((s)->b[i]), (s)->b[i])
// expect: ELEMENT(p, i) = ELEMENT(q, 3 - i) + WITHIN(CUI_PACKED(#, (p->b[i + 1]), p->b[i + 1]));
// expect: #define EITHER(s, i) (s)->v[i]
// expect: "EITHER(p, i)", "p", "i", "int", "EITHER", "", "not every expansion of the macro is such an access"
// expect: "not every expansion of the macro is such an access"
// expect: CUI_ASSERT(assert)(CUI_PACKED(#, (p->b[0]), p->b[0]) > 0);
// expect: "p->b[2]", "p", "2", "int", "", "", "the macro argument is also turned into text"
#include <assert.h>
#define ELEMENT(s, i) (s)->b[i]
#define EITHER(s, i) (s)->v[i]
#define WITHIN(x) ((x) + 1)
#define CHECK(x) assert(x)
struct __attribute__((packed)) Packed {
  char tag;
  int b[4], v[4];
};
struct Plain {
  int v[4];
};
__global__ void inMacros(Packed* p, Packed* q, Plain* r) {
  const int i = threadIdx.x;
  ELEMENT(p, i) = ELEMENT(q, 3 - i) + WITHIN(p->b[i + 1]);
  EITHER(p, i) = EITHER(r, i);
  assert(p->b[0] > 0);
  CHECK(p->b[2] > 0);
}
