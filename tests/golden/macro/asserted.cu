// The message of <assert.h>'s assert stays as written, too: its name is wrapped. Where an access reaches it as another
// macro's argument, its text has the forms expanded already, so that access is skipped.
// expect: CUI_ASSERT(assert)(CUI_ACCESS(#, a[i]) < limit && "in range");
// expect: #define POSITIVE(p, i) CUI_ASSERT(assert)(CUI_MACRO_ACCESS(#, p[i]) > 0)
// expect: POSITIVE(a, limit - 1);
// expect: #define CHECK(x) assert(x)
// expect: DO(CUI_ASSERT(assert)(CUI_ACCESS(#, a[i + 2]) != 7));
// expect: if (i > 2) CUI_ASSERT(assert)((a[i], CUI_ACCESS(#, a[i + 3]) > 0)); else CUI_ASSERT(assert)(true && CUI_ACCESS(#, a[0]));
// expect: assert(i >= 0);
// expect: "CHECK", "", "the macro argument is also turned into text"
// expect: "NONZERO", "", "the macro argument is also turned into text"
#include <cassert>
#define POSITIVE(p, i) assert(p[i] > 0)
#define NONZERO(x) assert((x) != 0)
#define CHECK(x) assert(x)
#define DO(x) do { x; } while (0)
template <class T>
__device__ T checked(T* p, int i) { assert(p[i] != T(0)); return p[i]; }
__host__ __device__ inline int first(int* a) { assert(a[0] >= 0); return a[0]; }
__global__ void asserted(int* a, int limit) {
  int i = threadIdx.x;
  assert(i >= 0);
  assert(a[i] < limit && "in range");
  POSITIVE(a, limit - 1);
  CHECK(a[i + 1] > 0);
  NONZERO(a[i + 1]);
  DO(assert(a[i + 2] != 7));
  if (i > 2) assert((a[i], a[i + 3] > 0)); else assert(true && a[0]);
  a[i] = checked(a, i) + first(a);
}
#undef POSITIVE
#undef NONZERO
#undef CHECK
#undef DO
