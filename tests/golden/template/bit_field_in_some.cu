// A member that is a bit field or packed in some instantiations and has an address in others: the structure is wrapped in all of
// them, and the form asks which it is. Where several are bit fields, one place is theirs.
// expect: CUI_ACCESS(#, q[0]) = CUI_ANY_FIELD(#, 4, 0, (x), p[1]).x;
// expect: CUI_ANY_ARROW_FIELD(#, 4, 0, (y), p)->y += CUI_ANY_FIELD(#, 4, 0, (y), (*p)).y;
// expect: CUI_ANY_ARROW_FIELD(#, 4, 0, (x), handle)->x++;
// expect: return CUI_ANY_ARROW_FIELD(#, 4, 0, (x), this)->x;
// expect: load, generic, instrumented, 4, 0, "member", "p[1].x", "p", "1", "int", "", "T=Bits | T=Plain"
// expect: rmw, generic, instrumented, 4, 0, "member", "p->y", "p", "", "int", "", "T=Bits | T=Plain"
// expect: load, generic, instrumented, 0, 0, "close", "p->wide", "p", "", "int | long long", "", "T=Close | T=Plain"
// expect: "p->high", "p", "", "unsigned int", "", "T=Halves | T=Thirds", "its size or place differs between instantiations"
struct Bits { int x : 5, y : 7; };
struct Plain { int x, y, wide; };
struct Halves { unsigned low : 16, high : 16; };
struct Thirds { unsigned low, high : 10; };
struct __attribute__((packed)) Close { char first; long long wide; };
template <class T> struct Handle {
  T* p;
  __device__ T* operator->() const { return p; }
};
template <class T> struct Derived : T {
  __device__ int get() const { return this->x; }
};
template <class T> __global__ void member(T* p, Derived<T>* d, Handle<T> handle, int* q) {
  q[0] = p[1].x;
  p->y += (*p).y;
  handle->x++;
  q[1] = d->get();
}
template <class T> __global__ void close(T* p, int* q) { q[0] = p->wide; }
template <class T> __global__ void differ(T* p, int* q) { q[0] = p->high; }
template __global__ void member<Bits>(Bits*, Derived<Bits>*, Handle<Bits>, int*);
template __global__ void member<Plain>(Plain*, Derived<Plain>*, Handle<Plain>, int*);
template __global__ void close<Close>(Close*, int*);
template __global__ void close<Plain>(Plain*, int*);
template __global__ void differ<Halves>(Halves*, int*);
template __global__ void differ<Thirds>(Thirds*, int*);
