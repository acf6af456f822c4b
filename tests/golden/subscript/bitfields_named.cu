// Bit-fields and packed members that are named without their object, of a base class, through macros, and in a
// constructor's initialisers.
// expect: return CUI_THIS_FIELD(#, 4, 0, low) + CUI_THIS_FIELD(#, 8, 8, in);
// expect: CUI_THIS_FIELD(#, 4, 0, low) = 1;
// expect: CUI_MACRO_THIS_FIELD(#, 4, 0, low) + 1
// expect: return [=] { return CUI_THIS_FIELD(#, 4, 0, low); }();
// expect: return CUI_THIS_FIELD(#, 4, 8, Derived::low) + CUI_ACCESS(#, this->Derived::whole);
// expect: CUI_ARROW_FIELD(#, 4, 8, d)->low
// expect: CUI_FIELD(#, 4, 8, d[1]).low
// expect: return CUI_THIS_FIELD(#, 4, 8, low) + CUI_THIS_FIELD(#, 4, 8, Bits::low) + CUI_ARROW_FIELD(#, 4, 8, this)->low;
// expect: #define OF(s) (CUI_MACRO_FIELD(#, 4, 0, s).low + sizeof(s.whole))
// expect: #define OF_POINTER(p) (CUI_MACRO_ARROW_FIELD(#, 4, 0, (p))->low++)
// expect: #define GET(p, m) (CUI_MACRO_ARROW_FIELD(#, 4, 0, (p))->m)
// expect: #define THIRD s[3]
// expect: CUI_FIELD(#, 4, 0, THIRD).low + CUI_ACCESS(#, THIRD.whole)
// expect: IDENTITY(CUI_FIELD(#, 4, 0, s[CUI_ACCESS(#, at[4])]).low)
// expect: : low(v), whole(2) { CUI_INITIALISED_FIELD(#, 4, 0); CUI_INITIALISED(#, this->whole);}
// expect: : value(v) { CUI_INITIALISED_FIELD(#, 4, 1);}
// expect: : x(v), part(1) { CUI_INITIALISED(#, this->x); CUI_INITIALISED_FIELD(#, 4, 4);}
// expect: return CUI_THIS_FIELD(#, 8, 0, count) + CUI_THIS_FIELD(#, 4, 8, more);
// expect: rmw, generic, instrumented, 4, 0, "Bits::Bits", "this->low"
// expect: load, generic, instrumented, 4, 0, "Derived::of", "low"
#define OF(s) (s.low + sizeof(s.whole))
#define OF_POINTER(p) ((p)->low++)
#define GET(p, m) ((p)->m)
#define NEXT low + 1
#define THIRD s[3]
#define IDENTITY(x) (x)
struct Bits {
  unsigned low : 4;
  unsigned whole;
  struct { unsigned long long in : 40; };
  __device__ Bits(unsigned v) : low(v), whole(2) {}
  __device__ unsigned get() const { return low + in; }
  __device__ void set() { low = 1; }
  __device__ unsigned next() const { return NEXT; }
  __device__ unsigned lambda() const {
    return [=] { return low; }();
  }
};
struct First { long long first; };
struct Derived : First, Bits {
  int own;
  __device__ unsigned of() const { return low + Bits::low + this->low; }
};
struct Deeper : Derived {
  __device__ unsigned of() const { return Derived::low + this->Derived::whole; }
};
struct __attribute__((packed)) Packed {
  char tag;
  int value;
  __device__ Packed(int v) : value(v) {}
};
struct Anonymous {
  union {
    struct { int x; unsigned part : 3; };
    long long both;
  };
  __device__ Anonymous(int v) : x(v), part(1) {}
};
// Of a class template, its instantiations agree.
template <class T> struct Node {
  unsigned long long offset : 48, count : 16;
  unsigned more : 4;
  T* box;
  __device__ unsigned sum() const { return count + more; }
};
template <class T> __global__ void sums(Node<T>* node, unsigned* out) { out[0] = node->sum(); }
template __global__ void sums(Node<float>*, unsigned*);
template __global__ void sums(Node<double>*, unsigned*);
// Several members through one macro: their storage unit is one.
struct Two { unsigned first : 4, second : 4; };
__global__ void several(Two* two, unsigned* out) { out[0] = GET(two, first) + GET(two, second); }
__global__ void named(Bits* s, Derived* d, Packed* p, Anonymous* a, int* at) {
  s[0].set();
  at[0] = s[0].get() + s[0].next() + s[0].lambda() + d->low + d[1].low + d->of();
  at[1] = OF(s[1]) + OF_POINTER(s + 2) + THIRD.low + THIRD.whole;
  at[2] = IDENTITY(s[at[4]].low);
  *s = Bits(3);
  *p = Packed(4);
  *a = Anonymous(5);
}
