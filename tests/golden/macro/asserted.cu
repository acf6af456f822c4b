// The message of <assert.h>'s assert stays as written, too: its name is wrapped. Where an access reaches it as another
// macro's argument, that is where this macro names it, and the text has the forms expanded already.
// expect: CUI_ASSERT(assert)(CUI_ACCESS(#, a[i]) < limit && "in range");
// expect: #define POSITIVE(p, i) CUI_ASSERT(assert)(CUI_MACRO_ACCESS(#, p[i]) > 0)
// expect: POSITIVE(a, limit - 1);
// expect: #define CHECK(x) CUI_ASSERT(assert)(x)
// expect: #define NONZERO(x) CUI_ASSERT(assert)((x) != 0)
// expect: CHECK(CUI_ACCESS(#, a[i + 1]) > 0);
// expect: NONZERO(CUI_ACCESS(#, a[i + 1]));
// expect: DO(CUI_ASSERT(assert)(CUI_ACCESS(#, a[i + 2]) != 7));
// expect: if (i > 2) CUI_ASSERT(assert)((a[i], CUI_ACCESS(#, a[i + 3]) > 0)); else CUI_ASSERT(assert)(true && CUI_ACCESS(#, a[0]));
// expect: assert(i >= 0);
// expect: AGAIN(CUI_ACCESS(#, a[i + 4]));
// expect: ALSO(a, i + 5);
// expect: #define ALSO(p, i) CHECK(CUI_MACRO_ACCESS(#, p[i]) && CUI_MACRO_ACCESS(#, (p)[0]))
#include <cassert>
#define POSITIVE(p, i) assert(p[i] > 0)
#define NONZERO(x) assert((x) != 0)
#define CHECK(x) assert(x)
#define AGAIN(x) CHECK((x) >= 0)
#define ALSO(p, i) CHECK(p[i] && (p)[0])
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
  AGAIN(a[i + 4]);
  ALSO(a, i + 5);
  DO(assert(a[i + 2] != 7));
  if (i > 2) assert((a[i], a[i + 3] > 0)); else assert(true && a[0]);
  a[i] = checked(a, i) + first(a);
}
#undef POSITIVE
#undef NONZERO
#undef CHECK
#undef AGAIN
#undef ALSO
#undef DO
