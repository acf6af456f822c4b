// A copy of *this, pointers to members, static and inherited members, members of references, const overloads.
// expect: Base copy = CUI_ACCESS(#, *this);
// expect: CUI_ACCESS(#, p->*member) = CUI_ACCESS(#, p->value);
// expect: CUI_ACCESS(#, r.value) = CUI_ACCESS(#, Derived::shared);
struct Base {
  int value, other;
  __device__ Base snapshot() const {
    Base copy = *this;
    return copy;
  }
};
struct Derived : Base {
  static __device__ int shared;
  __device__ int get() const { return value; }
};
__device__ int Derived::shared = 3;
__global__ void special(Derived* p, int Base::*member) {
  Derived& r = p[1];
  p->*member = p->value;
  r.value = Derived::shared;
  p[2].value = p->snapshot().other + r.get();
}
