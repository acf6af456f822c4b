// A copy of *this, pointers to members, inherited and qualified members, members of references.
// expect: Base copy = CUI_ACCESS(#, *this);
// expect: CUI_ACCESS(#, p->*member) = CUI_ACCESS(#, p->value);
// expect: CUI_ACCESS(#, r.Base::value) = 3;
struct Base {
  int value, other;
  __device__ Base snapshot() const {
    Base copy = *this;
    return copy;
  }
};
struct Derived : Base {
  __device__ int get() const { return value; }
};
__global__ void special(Derived* p) {
  int Base::*member = p->get() ? &Base::value : &Base::other;
  Derived& r = p[1];
  p->*member = p->value;
  r.Base::value = 3;
  p[2].value = p->snapshot().other + r.get();
}
