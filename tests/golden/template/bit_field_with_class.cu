// The same of members that are named with their class or without their object. Of a name with its class nvcc asks at once whether it
// is a bit field, unless the class depends on the object's, too; which class that is must be known where the form is.
// expect: { return CUI_ANY_THIS_FIELD(#, 4, 0, (CUI_CLASS(T)x), T::x); }
// expect: { CUI_ANY_ARROW_FIELD(#, 4, 0, (CUI_CLASS(T)y), this)->T::y = 2; }
// expect: { return [this] { return CUI_ANY_THIS_FIELD(#, 4, 0, (CUI_CLASS(T)y), T::y); }(); }
// expect: { return CUI_ANY_THIS_FIELD(#, 4, 0, (CUI_CLASS(T)y), T::y) + CUI_ANY_ARROW_FIELD(#, 4, 0, (CUI_CLASS(T)x), this)->T::x + z; }
// expect: { return CUI_ANY_THIS_FIELD(#, 4, 0, (CUI_CLASS(Of<T, 8>)x), Of<T, 8>::x) + CUI_ANY_THIS_FIELD(#, 4, 0, (CUI_CLASS(typename Of<T, 8>::Own)y), Of<T, 8>::Own::y); }
// expect: { return CUI_ANY_THIS_FIELD(#, 4, 0, (x), x) + CUI_ANY_ARROW_FIELD(#, 4, 0, (y), this)->y; }
// expect: { return CUI_ANY_THIS_FIELD(#, 8, 1, (CUI_CLASS(T)wide), T::wide); }
// expect: = CUI_ANY_ARROW_FIELD(#, 4, 0, (CUI_CLASS(T)x), d)->T::x + CUI_ANY_FIELD(#, 4, 0, (CUI_CLASS(Of<T, 8>)y), o[1]).Of<T, 8>::y + o->Own::x;
// expect: { return T::x + this->y; }
// expect: load, generic, instrumented, 4, 0, "Derived::get", "T::x", "this->x", "", "int", "", "T=Bits | T=HiddenBits | T=Plain | T=Hidden"
// expect: load, generic, instrumented, 0, 0, "Near::get", "T::wide", "this->wide", "", "int | long long", "", "T=Close | T=Plain"
// expect: "o->Own::x", "o", "", "int", "", "T=Bits", "a bit field or packed member in some instantiations"
struct Bits { int x : 5, y : 7; };
struct Plain { int x, y, wide; };
class HiddenBits { protected: int x : 5, y : 7; };
class Hidden { protected: int x, y; };
struct __attribute__((packed)) Close { char first; long long wide; };
struct Constants { enum { x = 3 }; static constexpr int y = 4; };
template <class T> struct Derived : T {
  char x;  // another one
  __device__ int get() const { return T::x; }
  __device__ void set() { this->T::y = 2; }
  __device__ int captured() const { return [this] { return T::y; }(); }
  __device__ int generic() const { return [this](auto z) { return T::y + this->T::x + z; }(1); }
};
template <class T, int> struct Of : T { using Own = T; };
template <class T> struct Below : Of<T, 8> {
  __device__ int get() const { return Of<T, 8>::x + Of<T, 8>::Own::y; }
};
template <class T> struct Using : T {
  using T::x;
  using T::y;
  __device__ int get() const { return x + this->y; }
};
template <class T> struct Near : T {
  __device__ long long get() const { return T::wide; }
};
template <class T> struct Constant : T {
  __device__ int get() const { return T::x + this->y; }
};
template <class T> __device__ int all(Derived<T>* d, Below<T>* b, Using<T>* u) {
  d->set();
  return d->get() + d->captured() + d->generic() + b->get() + u->get();
}
template <class T> __global__ void named(Derived<T>* d, Of<T, 8>* o, int* q) {
  q[0] = d->T::x + o[1].Of<T, 8>::y + o->Own::x;
}
__global__ void calls(Derived<Bits>* d, Below<Bits>* b, Using<Bits>* u, Near<Close>* c, int* q) {
  q[0] = all(d, b, u) + c->get();
}
__global__ void calls(Derived<Plain>* d, Below<Plain>* b, Using<Plain>* u, Near<Plain>* c, int* q) {
  q[0] = all(d, b, u) + c->get();
}
__global__ void calls(Derived<HiddenBits>* d, Below<HiddenBits>* b, Using<HiddenBits>* u, int* q) { q[0] = all(d, b, u); }
__global__ void calls(Derived<Hidden>* d, Below<Hidden>* b, Using<Hidden>* u, int* q) { q[0] = all(d, b, u); }
__global__ void constants(Constant<Bits>* b, Constant<Plain>* p, Constant<Constants>* c, int* q) { q[0] = b->get() + p->get() + c->get(); }
template __global__ void named<Bits>(Derived<Bits>*, Of<Bits, 8>*, int*);
template __global__ void named<Plain>(Derived<Plain>*, Of<Plain, 8>*, int*);
