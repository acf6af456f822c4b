// What is copied of an object's base class is that part of it: its bytes, where it lies in the object. Where one text stands for
// several things, the whole object's are counted.
// expect: Base copied = CUI_FIELD(#, 8, 0, d[0]);
// expect: static_cast<Base&>(CUI_FIELD(#, 8, 0, d[1])) = copied;
// expect: CUI_ACCESS(#, b[0]) = CUI_FIELD(#, 8, 4, m[0]);
// expect: take(CUI_FIELD(#, 8, 4, m[1]));
// expect: Derived(const Derived& other) : Base(CUI_FIELD(#, 8, 0, other)), c(CUI_ACCESS(#, other.c)) {
// expect: CUI_THIS_FIELD(#, 8, 0, Base::operator=)(CUI_FIELD(#, 8, 0, other));
// expect: T part = CUI_ACCESS(#, m[2]);
// expect: (Base&)((CUI_FIELD(#, 8, 4, m[3]))) = copied;
struct Base {
  int a, b;
};
struct Other {
  int z;
};
struct Derived : Base {
  int c;
  __device__ Derived& operator=(const Derived& other) {
    Base::operator=(other);
    c = other.c;
    return *this;
  }
  __device__ Derived(const Derived& other) : Base(other), c(other.c) {}
};
struct Last : Derived {
  int e;
};
struct Both : Other, Base {
  int c;
};
__device__ void take(Base) {}

template <class T>
__device__ void ofTemplate(Both* m) {
  T part = m[2];
  take(part);
}

__global__ void copies(Derived* d, Base* b, Both* m, Derived* e) {
  Base copied = d[0];
  static_cast<Base&>(d[1]) = copied;
  b[0] = m[0];
  take(m[1]);
  (Base&)((m[3])) = copied;
  ofTemplate<Base>(m);
  Both own = m[4];
  take(own);
}
