// Virtual base classes that are in a function: their names are known in there alone. What else sees such an object, a template that
// is called with it, has no name for its base.
// expect: { return CUI_BESIDE_THIS(#, 8, 0, CUI_THIS_BASE_FIELD(#, 4, 0, (Bits), low)); }
// expect: { CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 4, (Outer::Inner), this))->high = 1; }
// expect: CUI_ACCESS(#, q[0]) = CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (Bits), p))->low + CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 4, (Outer::Inner), p))->high + LOW(p);
// expect: CUI_ACCESS(#, q[1]) = [=] { return CUI_FIELD(#, 8, 0, CUI_BASE_FIELD(#, 4, 0, (Bits), p[1])).low; }() + lowOf(p) + p->get();
// expect: #define LOW(p) CUI_MACRO_ARROW_FIELD(#, 8, 0, CUI_MACRO_ARROW_BASE_FIELD(#, 4, 0, (Bits), (p)))->low
// expect: template <class T> __device__ unsigned lowOf(T* p) { return CUI_ARROW_FIELD(#, 8, 0, p)->low; }
// expect: { return CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (First), this))->part; }
// expect: return CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (First), t))->part + t->get();
// expect: return CUI_ARROW_FIELD(#, 8, 0, t)->part + static_cast<int>(sizeof(Base));
// expect: { return CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (::Hides::Inner), this))->hidden; }
// expect: { return CUI_ARROW_FIELD(#, 8, 0, t)->hidden; }
// expect: "lowOf", "p->low", "p", "", "unsigned int", "", "T=Virtual", "a bit field or packed member of a virtual base class that has no name here"
#define LOW(p) (p)->low
template <class T> __device__ unsigned lowOf(T* p) { return p->low; }
__global__ void locals(void* memory, unsigned* q) {
  struct Bits { unsigned low : 4, whole; };
  class Outer {
   public:
    class Inner {
     public:
      int first, high : 7;
    };
  };
  struct Virtual : virtual Bits, virtual Outer::Inner {
    int own;
    __device__ unsigned get() const { return low; }
    __device__ void set() { this->high = 1; }
  };
  Virtual* p = static_cast<Virtual*>(memory);
  p->set();
  q[0] = p->low + p->high + LOW(p);
  q[1] = [=] { return p[1].low; }() + lowOf(p) + p->get();
}
template <class T> __device__ T ofTemplate(void* memory) {
  struct First { T part : 4; };
  struct Second : virtual First {
    int own;
    __device__ T get() const { return this->part; }
  };
  const Second* t = static_cast<const Second*>(memory);
  return t->part + t->get();
}
// Two of a name: which one it is depends on the place.
__device__ int again(void* memory) {
  struct Base { int part : 4; };
  struct Derived : virtual Base { int own; };
  const Derived* t = static_cast<const Derived*>(memory);
  {
    struct Base { int other; };
    return t->part + static_cast<int>(sizeof(Base));
  }
}
// And what only its own class may name.
class Hides {
  struct Inner { int hidden : 3; };
 public:
  struct Shown : virtual Inner {
    int own;
    __device__ int get() const { return this->hidden; }
  };
};
__device__ int shown(Hides::Shown* t) { return t->hidden; }
__global__ void others(void* memory, Hides::Shown* t, int* q) {
  q[0] = ofTemplate<int>(memory) + static_cast<int>(ofTemplate<unsigned>(memory)) + again(memory) + shown(t) + t->get();
}
#undef LOW
