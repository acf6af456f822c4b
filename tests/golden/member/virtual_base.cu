// Members of virtual base classes: where they lie only the object tells, which is asked where the base is; what no reference binds
// to is said by its place in there.
// expect: CUI_ACCESS(#, q[0]) = CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 0, (::Bits), v))->low + CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 1, (::Packed), v))->value + CUI_ACCESS(#, CUI_ARROW_FIELD(#, 8, 0, v)->whole);
// expect: CUI_FIELD(#, 8, 0, CUI_BASE_FIELD(#, 4, 1, (::Packed), v[1])).value = 2;
// expect: { return CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 4, 1, (::Packed), this))->value + CUI_BESIDE_THIS(#, 8, 0, CUI_THIS_BASE_FIELD(#, 4, 0, (::Bits), low)); }
// expect: { CUI_BESIDE_THIS(#, 8, 0, CUI_THIS_BASE_FIELD(#, 4, 4, (::inside::Middle), high)) = i; }
// expect: { return CUI_ARROW_FIELD(#, 8, 0, CUI_ARROW_BASE_FIELD(#, 8, 8, (::Of<unsigned long long>), this))->high + CUI_BESIDE_THIS(#, 8, 0, CUI_THIS_BASE_FIELD(#, 8, 0, (::Of<unsigned long long>), Of<T>::low)); }
// expect: { return CUI_ARROW_FIELD(#, 8, 0, this)->low; }
// expect: rmw, generic, instrumented, 4, 0, "inside::Deep::set", "high"
// expect: "this->low", "this->low", "", "T", "", "T=int | T=unsigned int", "its size or place differs between instantiations"
struct Bits { unsigned low : 4, whole; };
struct __attribute__((packed)) Packed { char first; int value; };
struct Virtual : virtual Bits, virtual Packed {
  int own;
  __device__ int get() const { return this->value + low; }
};
namespace inside {
namespace {
struct Bottom { int first, high : 7; };
}
struct Middle : Bottom { int middle; };
class Deep : virtual Middle {
 public:
  int own;
  __device__ void set(int i) { high = i; }
};
}
template <class T> struct Of { T low : 4, : 0, high : 3; };
template <class T> struct From : virtual Of<T> {
  __device__ T get() const { return this->high + Of<T>::low; }
};
template <class T> struct Either : virtual Of<T> {
  __device__ T get() const { return this->low; }
};
__global__ void members(Virtual* v, int* q, inside::Deep* d, From<unsigned long long>* f, Either<int>* i, Either<unsigned>* u) {
  q[0] = v->low + v->value + v->whole;
  v[1].value = 2;
  q[1] = v->get();
  d->set(q[2]);
  q[3] = f->get() + i->get() + u->get();
}
