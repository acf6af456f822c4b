// An argument whose text the body also makes a string of must keep that text: what the macro's definition makes of it is
// taken back there, or in the macro that it hands the argument to, where a string may be computed; else what is all of
// the argument is recorded in the macro's text, and other accesses are skipped, with the reason.
// expect: VERIFY(CUI_ACCESS(#, a[i]) > 0);
// expect: printf("%s\n", CUI_TEXT
// expect: NAMED(CUI_ACCESS(#, a[i + 1]) > 0);
// expect: if (!(x)) printf("%s: %s\n", __func__, CUI_TEXT("NAMED(" #x ")"))
// expect: #define CONSTANT(x) constant<sizeof(x)>(CUI_MACRO_ACCESS(#, x), #x[0])
// expect: #define JOINED(x) (sizeof(#x " in " __FILE__) ? (CUI_MACRO_ACCESS(#, x)) : 0)
// expect: CUI_ACCESS(#, a[i]) = CONSTANT(a[i + 2]) + AGAIN(CUI_ACCESS(#, a[i + 3])) + JOINED(a[i + 4]);
// expect: #define TEXT(x) (CUI_TEXT(
// expect: #define HANDED(x) CHECKED(x, CUI_TEXT(
// expect: HANDED(CUI_ACCESS(#, a[i + 5]));
// expect: #define LITERAL(x, text) do { if (!(CUI_MACRO_ACCESS(#, x))) printf(text "\n"); } while (0)
// expect: WRITTEN(a[i + 6]);
// expect: PARTS(a[i + 7] + 1);
// expect: "the macro argument is also turned into text"
#include <cstdio>
#define VERIFY(condition) do { if (!(condition)) printf("%s\n", #condition); } while (0)
#define NAMED(x) if (!(x)) printf("%s: %s\n", __func__, "NAMED(" #x ")")
#define CONSTANT(x) constant<sizeof(x)>(x, #x[0])
#define AGAIN(x) (TEXT(x) ? (x) : 0)
#define TEXT(x) (#x)
#define CHECKED(x, text) do { if (!(x)) printf("%s, %s\n", text, #x); } while (0)
#define HANDED(x) CHECKED(x, #x)
#define WRITTEN(x) LITERAL(x, #x)
#define LITERAL(x, text) do { if (!(x)) printf(text "\n"); } while (0)
#define JOINED(x) (sizeof(#x " in " __FILE__) ? (x) : 0)
#define PARTS(x) constant<sizeof(x)>(x, #x[0])
template <int n>
__device__ int constant(int x, char c) { return x + c; }
__global__ void stringised(int* a) {
  int i = threadIdx.x;
  VERIFY(a[i] > 0);
  NAMED(a[i + 1] > 0);
  a[i] = CONSTANT(a[i + 2]) + AGAIN(a[i + 3]) + JOINED(a[i + 4]);
  HANDED(a[i + 5]);
  WRITTEN(a[i + 6]);
  PARTS(a[i + 7] + 1);
}
#undef VERIFY
#undef NAMED
#undef CONSTANT
#undef AGAIN
#undef TEXT
#undef JOINED
#undef CHECKED
#undef HANDED
#undef WRITTEN
#undef LITERAL
#undef PARTS
