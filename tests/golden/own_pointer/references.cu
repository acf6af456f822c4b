// A member of reference type is a pointer, which whoever uses what it refers to reads in the object. What it
// refers to is another access. In an object of the thread's own it is in registers, and `s[i].r;` alone reads
// nothing.
// expect: CUI_ACCESS(8, CUI_FIELD(7, 8, 8, s[i]).r) = 1;
// expect: addressOf(CUI_ARROW_FIELD(9, 8, 8, p)->r);
// expect: CUI_ACCESS(10, own.r) = 2;
// expect: CUI_ACCESS(3, CUI_THIS_FIELD(2, 8, 8, r)) += CUI_ACCESS(4, n);
// expect:   s[i].r;
// expect: CUI_INITIALISED_FIELD(1, 8, 8);
// expect: "a pointer that its object has in some instantiations"
struct Counted {
  int n;
  float& r;
  __device__ Counted(float& to) : n(0), r(to) {}
  __device__ void add() { r += n; }
  __device__ void addOf(int i) { (&r)[i] += 1; }
};
__device__ void* addressOf(float& r) {
  return &r;
}

__global__ void members(Counted* s, int i, Counted own, Counted** table) {
  s[i].r = 1;
  Counted* p = s + i;
  addressOf(p->r);
  own.r = 2;
  s[i].r;
  float* place = &s[i].r;
  *place = table[i]->r;
  s[i].add();
}

struct Outer {
  Counted in;
  struct {
    const double& anonymous;
  };
};
struct Derived : Outer {
  Counted& other;
};
template <class T>
struct Holder {
  T& held;
  T plain;
  __device__ T both() const { return held + plain; }
};
#define HELD(h) (h).held
__global__ void nested(Outer* o, Derived* d, Holder<float>* f, Holder<double>* g) {
  o->in.r = o->anonymous;
  d->other.r = d->in.r;
  HELD(f[1]) = HELD(*g);
  f->plain = f->both() + g->both();
}

// Of what a template's object has in some instantiations only, nothing is recorded.
struct Value {
  float held;
};
template <class T>
__global__ void some(T* t) {
  t->held = 1;
}
template <class T>
__global__ void all(T* t) {
  t->held = 1;
}
void launch(Holder<float>* h, Value* v) {
  some<<<1, 1>>>(h);
  some<<<1, 1>>>(v);
  all<<<1, 1>>>(h);
}
