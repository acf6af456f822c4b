// A literal of several parts, of which macros make some, of an argument or of a place: it is taken back as a whole.
// expect: if (!bool(__VA_ARGS__)) said(CUI_TEXT("expected `" #__VA_ARGS__ "` at " TEXT_OF(__FILE__) ":" TEXT_OF(__LINE__) ".\n"));
// expect: printf("%s: %s\n", __func__, CUI_TEXT("no " TEXT_OF(x) " at " PARTS_HERE))
// expect: EXPECTS_PARTS(CUI_ACCESS(#, a[i]) > CUI_ACCESS(#, a[0]));
// expect: HAS_PARTS(CUI_ACCESS(#, a[i + 1]) > 0);
// expect: UNKNOWN_PARTS(a[i + 2] > 0);
// expect: CUI_CALL_ENTRY("cudaFree", "freeParts"
// expect: "the macro argument is also turned into text"
#include <cstdio>
#define TEXT_OF(x) TEXT_AS_WRITTEN(x)
#define TEXT_AS_WRITTEN(x) #x
#define PARTS_HERE __FILE__ ":" TEXT_OF(__LINE__)
#define EXPECTS_PARTS(...) { if (!bool(__VA_ARGS__)) said("expected `" #__VA_ARGS__ "` at " TEXT_OF(__FILE__) ":" TEXT_OF(__LINE__) ".\n"); }
#define HAS_PARTS(x) do { if (!(x)) printf("%s: %s\n", __func__, "no " TEXT_OF(x) " at " PARTS_HERE); } while (0)
#define WIDE(x) L##x
#define UNKNOWN_PARTS(x) do { if (!(x)) wide(WIDE("no ") #x); } while (0)
#define CHECK_PARTS(call) do { if (call) said(TEXT_OF(call) " failed at " PARTS_HERE); } while (0)
__host__ __device__ void said(const char* text) {}
__host__ __device__ void wide(const wchar_t* text) {}
__global__ void stringisedParts(int* a) {
  int i = threadIdx.x;
  EXPECTS_PARTS(a[i] > a[0]);
  HAS_PARTS(a[i + 1] > 0);
  UNKNOWN_PARTS(a[i + 2] > 0);
}
void freeParts(int* a) { CHECK_PARTS(cudaFree(a)); }
#undef TEXT_OF
#undef TEXT_AS_WRITTEN
#undef EXPECTS_PARTS
#undef HAS_PARTS
#undef WIDE
#undef UNKNOWN_PARTS
#undef CHECK_PARTS
