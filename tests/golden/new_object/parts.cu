// A constructor that nobody wrote stores the pointers to virtual functions, and what members and bases without a
// constructor of their own are given: those parts are recorded where `new` is, and the rest in the bodies of the constructors.
// standard: 17 20
// expect: CUI_ARROW_FIELD(#, 8, 0, new (memory) Derived);
// expect: CUI_ARROW_FIELD(#, 8, 0, new Derived);
// expect: CUI_ARROW_FIELD(#, 8, 0, new (memory) OfCounted);
// expect: CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_FIELD(#, 16, 0, new (memory) OfCounted()));
// expect: CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_FIELD(#, 4, 12, new (memory) Inheriting));
// expect: CUI_ARROW_FIELD(#, 4, 4, new (memory) Plain(4));
// expect: CUI_ARROW_FIELD(#, 8, 16, CUI_ARROW_FIELD(#, 8, 0, new (memory) Both));
// expect: CUI_ARROW_FIELD(#, 4, 4, new (memory) Mixed{Own(1), 2});
// expect: CUI_ARROW_FIELD(#, 8, 8, new (memory) Holds);
// expect: CUI_POINTER(#, new (memory) Derived(CUI_ACCESS(
// expect: pointers to virtual functions that a constructor stores which nobody wrote
// expect: stored partly by constructors of its members
// expect-not: CUI_ARROW_FIELD(#, 8, 0, new (memory) Counted
// expect-not: CUI_POINTER(#, new (memory) Counted
#include <new>

struct Base {
  int b;
  __device__ virtual int f() { return b; }
};
struct Derived : Base {
  int d;
  __device__ int f() override { return d; }
};
struct Counted {
  int count;
  __device__ Counted() : count(3) {}
  __device__ virtual int g() { return count; }
};
struct OfCounted : Counted {
  int y;
  __device__ int g() override { return y; }
};
struct Inheriting : Counted {
  using Counted::Counted;
  int y = 5;
  __device__ int g() override { return y; }
};
struct Own {
  int value;
  __device__ Own(int v) : value(v) {}
};
struct Plain : Own {
  using Own::Own;
  int more = 2;
};
struct Both : Base, Counted {};
struct Mixed {
  Own own;
  int more;
};
struct Holds {
  long first;
  Derived derived;
};

__global__ void make(char* memory, Base** found) {
  new (memory) Derived;
  found[0] = new Derived;
  new (memory) OfCounted;
  new (memory) OfCounted();
  new (memory) Inheriting;
  new (memory) Plain(4);
  new (memory) Both;
  new (memory) Mixed{Own(1), 2};
  new (memory) Holds;
  new (memory) Counted;
  new (memory) Derived(*(Derived*)found[0]);
}

// One text for all instantiations.
template <class T>
__global__ void either(void* memory) {
  new (memory) T;
}
template <class T>
__device__ void list(void* memory) {
  new (memory) T{Own(1), 2};
}
__global__ void lists(void* memory) { list<Mixed>(memory); }
template __global__ void either<Derived>(void*);
template __global__ void either<Counted>(void*);
