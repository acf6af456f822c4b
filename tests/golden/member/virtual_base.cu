// Members of virtual base classes: where they lie only the object tells. What has an address is asked for it, a bit field is left alone.
// expect: CUI_ACCESS(#, q[0]) = v->low + CUI_ANY_ARROW_FIELD(#, 4, 1, (value), v)->value + CUI_ACCESS(#, v->whole);
// expect: CUI_ANY_FIELD(#, 4, 1, (value), v[1]).value = 2;
// expect: "v->low", "v", "", "unsigned int", "", "", "a bit field or packed member of a virtual base class"
// expect: "this->value", "this->value", "", "int", "", "", "a bit field or packed member of a virtual base class"
struct Bits { unsigned low : 4, whole; };
struct __attribute__((packed)) Packed { char first; int value; };
struct Virtual : virtual Bits, virtual Packed {
  int own;
  __device__ int get() const { return this->value; }
};
__global__ void members(Virtual* v, int* q) {
  q[0] = v->low + v->value + v->whole;
  v[1].value = 2;
  q[1] = v->get();
}
