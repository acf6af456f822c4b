// The same where a macro makes the function's name or its declaration.
// expect: #define DECLARE(name) __device__ int name##Made(const int* p)
// expect: int firstMade(const int* p) { return CUI_ACCESS(#, p[1]); }
// expect: #define PLAIN(name) int name(const int* p) { return CUI_MACRO_ACCESS(#, p[2]); }
// expect: int METHOD(const int* p) const { return CUI_ACCESS(#, p[CUI_ACCESS(#, x)]); }
// expect: int Made::other(const int* p) const { return CUI_ACCESS(#, p[4]); }
// expect: int NAMESPACE inSpace(const int* p) { return CUI_ACCESS(#, p[5]); }
// expect: int hostOnly(const int* p) { return p[6]; }
// expect: load, generic, instrumented, 4, 0, "secondMade", "p[2]"
// expect-not: Clang rejects
#define DECLARE(name) __device__ int name##Made(const int* p)
#define PLAIN(name) int name(const int* p) { return p[2]; }
#define METHOD Made::method
#define BOTH(type, name) __host__ __device__ type name(const int* p) const
#define NAMESPACE made::
DECLARE(first);
DECLARE(second);
int hostOnly(const int* p);
struct Made {
  int x;
  BOTH(int, method);
  BOTH(int, other);
};
namespace made { __device__ int inSpace(const int* p); }
__global__ void callsMade(int* p, Made* made) {
  p[0] = firstMade(p) + secondMade(p) + made->method(p) + made->other(p) + made::inSpace(p);
}
int firstMade(const int* p) { return p[1]; }
PLAIN(secondMade)
int METHOD(const int* p) const { return p[x]; }
int Made::other(const int* p) const { return p[4]; }
int NAMESPACE inSpace(const int* p) { return p[5]; }
int hostOnly(const int* p) { return p[6]; }
