// Members of packed structures whose size or place is another in other instantiations: the form asks for both, of what has an address.
// Bit-fields have one place, which is what it says.
// expect: { return CUI_ANY_THIS_FIELD(#, 4, 1, (value), value) + CUI_ANY_ARROW_FIELD(#, 4, 1, (value), this)->value + CUI_ANY_THIS_FIELD(#, 4, 1, (CUI_CLASS(Packed<T>)value), Packed<T>::value); }
// expect: CUI_ACCESS(#, out[0]) = CUI_ANY_ARROW_FIELD(#, 4, 1, (value), p)->value + CUI_ANY_FIELD(#, 2, 5, (tail), p[1]).tail + CUI_ARROW_FIELD(#, 1, 0, p)->tag + VALUE(p) + p->get();
// expect: CUI_ANY_ARROW_FIELD(#, 4, 1, (value), q)->value += CUI_ACCESS(#, out[1]);
// expect: CUI_ACCESS(#, out[0]) = CUI_ANY_ARROW_FIELD(#, 4, 0, (x), p)->x; }
// expect: load, generic, instrumented, 0, 0, "members", "p->value", "p", "", "T", "", "T=int | T=double", ""
// expect: load, generic, instrumented, 2, 0, "members", "p[1].tail", "p", "1", "short", "", "T=int | T=double", ""
// expect: "VALUE(p)", "p", "", "T", "VALUE", "T=int | T=double", "its size or place differs between instantiations"
#define VALUE(p) p->value
template <class T> struct __attribute__((packed)) Packed {
  signed char tag;
  T value;
  short tail;
  __device__ T get() const { return value + this->value + Packed<T>::value; }
};
#pragma pack(push, 1)
template <class T> struct Pushed {
  char tag;
  T value;
};
#pragma pack(pop)
template <class T> __global__ void members(Packed<T>* p, Pushed<T>* q, T* out) {
  out[0] = p->value + p[1].tail + p->tag + VALUE(p) + p->get();
  q->value += out[1];
}
template __global__ void members(Packed<int>*, Pushed<int>*, int*);
template __global__ void members(Packed<double>*, Pushed<double>*, double*);
struct __attribute__((packed)) Close { char first; long long x; };
struct __attribute__((packed)) Closer { short first; int x; };
struct Bits { int x : 5; };
struct Plain { long long first, x; };
template <class S> __global__ void one(S* p, int* out) { out[0] = p->x; }
template __global__ void one(Close*, int*);
template __global__ void one(Closer*, int*);
template __global__ void one(Bits*, int*);
template __global__ void one(Plain*, int*);
#undef VALUE
