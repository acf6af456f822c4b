// Bit-fields and packed members of virtual base classes in macros: in their text, in arguments, and in arguments that are turned into
// text. Expansions must agree on the base and on the place in it.
// expect: #define LOW(p) (CUI_MACRO_ARROW_FIELD(#, 8, 0, CUI_MACRO_ARROW_BASE_FIELD(#, 4, 0, (::Bits), (p)))->low)
// expect: #define VALUE_OF(s) CUI_MACRO_FIELD(#, 8, 0, CUI_MACRO_BASE_FIELD(#, 4, 1, (::Packed), s)).value
// expect: #define OWN CUI_MACRO_BESIDE_THIS(#, 8, 0, CUI_MACRO_THIS_BASE_FIELD(#, 4, 0, (::Bits), low)) + 1
// expect: #define NAME low
// expect: #define MIXED(p) (p)->low
// expect: #define EITHER(p) CUI_MACRO_ARROW_FIELD(#, 8, 0, (p))->low
// expect: CUI_ACCESS(#, q[0]) = LOW(v) + LOW(CUI_ACCESS(#, vs[1])) + VALUE_OF(v[1]) + CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (::Bits), v))->NAME;
// expect: CUI_ACCESS(#, q[1]) = IDENTITY(CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (::Bits), v))->low) + MIXED(v) + MIXED(b) + EITHER(v) + EITHER(o);
// expect: VERIFY(CUI_FIELD(#, 8, 0, CUI_BASE_FIELD(#, 4, 0, (::Bits), v[2])).low > CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 8, 0, (::Of<long long, 3>), o))->low);
// expect: HANDED(CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (::Bits), v))->low == 3);
// expect: { VERIFY(CUI_BESIDE_THIS(#, 8, 0, CUI_THIS_BASE_FIELD(#, 4, 0, (::Bits), low)) == 2); }
// expect: load, generic, instrumented, 4, 0, "members", "(v)->low", "v", "", "unsigned int", "LOW"
// expect: "MIXED(v)", "v", "", "unsigned int", "MIXED", "", "another kind of access in another instantiation"
// expect: "EITHER(v)", "v", "", "unsigned int", "EITHER", "", "its size or place differs between instantiations"
#include <cassert>
#include <cstdio>
#define LOW(p) ((p)->low)
#define VALUE_OF(s) s.value
#define OWN low + 1
#define NAME low
#define IDENTITY(x) (x)
#define MIXED(p) (p)->low
#define EITHER(p) (p)->low
#define VERIFY(x) if (!(x)) printf("%s\n", #x)
#define HANDED(x) assert(x)
struct Bits { unsigned low : 4, whole; };
struct __attribute__((packed)) Packed { char first; int value; };
template <class T, int N> struct Of { T low : N; };
struct Virtual : virtual Bits, virtual Packed {
  int own;
  __device__ unsigned next() const { return OWN; }
  __device__ void check() const { VERIFY(low == 2); }
};
struct Other : virtual Of<long long, 3> { int own; };
__global__ void members(Virtual* v, Virtual** vs, Bits* b, Other* o, unsigned* q) {
  q[0] = LOW(v) + LOW(vs[1]) + VALUE_OF(v[1]) + v->NAME;
  q[1] = IDENTITY(v->low) + MIXED(v) + MIXED(b) + EITHER(v) + EITHER(o);
  VERIFY(v[2].low > o->low);
  HANDED(v->low == 3);
  q[2] = v->next();
  v->check();
}
#undef LOW
#undef VALUE_OF
#undef OWN
#undef NAME
#undef IDENTITY
#undef MIXED
#undef EITHER
#undef VERIFY
#undef HANDED
