// What a constructor stores in base classes and members by constructors that nobody wrote, and what `Base::operator=(other)`
// does, which nobody wrote either: they had neither record nor row.
// expect: Derived(const Derived& other) : Base(CUI_FIELD(#, 8, 0, other)), c(CUI_ACCESS(#, other.c)) { CUI_INITIALISED_FIELD(#, 8, 0); CUI_INITIALISED(#, this->c);}
// expect: Derived(int v) : Base{v, v + 1}, c(v) { CUI_INITIALISED_FIELD(#, 4, 0); CUI_INITIALISED_FIELD(#, 4, 4); CUI_INITIALISED(#, this->c);}
// expect: CUI_THIS_FIELD(#, 8, 0, Base::operator=)(CUI_FIELD(#, 8, 0, other));
// expect: CUI_POINTER(#, this)->Base::operator=(CUI_ACCESS(#, other));
// expect: CUI_POINTER(#, d)->Base::operator=(
// expect: stored by a constructor that nobody wrote
// expect: Particle(int i) : id(i) { CUI_INITIALISED_FIELD(#, 4, 0); CUI_INITIALISED_FIELD(#, 4, 4); CUI_INITIALISED_FIELD(#, 4, 8); CUI_INITIALISED_FIELD(#, 4, 12); CUI_INITIALISED(#, this->id);}
// expect: T::operator=(CUI_ACCESS(#, other));
// expect: a base class that an operator= stores which nobody wrote
#include <new>

struct Vector {
  int x = 1, y = 2;
};
struct Base {
  int a, b;
};
struct Derived : Base {
  int c;
  __device__ Derived& operator=(const Derived& other) {
    Base::operator=(other);
    c = other.c;
    return *this;
  }
  __device__ Derived(const Derived& other) : Base(other), c(other.c) {}
  __device__ Derived(int v) : Base{v, v + 1}, c(v) {}
  __device__ void set(const Base& other) { this->Base::operator=(other); }
};
struct Particle {
  Vector position, velocity;
  int id;
  __device__ Particle(int i) : id(i) {}
};
struct Own {
  int z;
  __device__ Own() : z(7) {}
  __device__ Own& operator=(const Own& other) {
    z = other.z + 1;
    return *this;
  }
};

// Instantiations agree on what is no argument's.
template <class T>
struct Holds : T {
  T other;
  Vector fixed;
  __device__ Holds() {}
  __device__ Holds& operator=(const Holds& other) {
    T::operator=(other);
    return *this;
  }
};

__global__ void make(Derived* d, Particle* p, Holds<Vector>* v, Holds<Own>* o) {
  d[0] = d[1];
  new (&d[2]) Derived(d[3]);
  new (&d[4]) Derived(9);
  d[5].set(d[6]);
  d->Base::operator=(d[7]);
  new (p) Particle(5);
  new (v) Holds<Vector>;
  v[1] = v[2];
  new (o) Holds<Own>;
  o[1] = o[2];
}
