// Bit-fields that cannot be recorded through their structure, each with its reason.
// expect: "a bit field or packed member named without its object"
// expect: "a bit field or packed member of a base class"
// expect: "a bit field or packed member whose object is a macro's argument"
// expect: "a bit field or packed member in some instantiations"
#define TWICE(s) (s.low + sizeof(s.whole))
struct Bits {
  unsigned low : 4;
  unsigned whole;
  __device__ unsigned get() const { return low; }
};
struct Plain { unsigned low, whole; };
struct Derived : Bits {};
template <class S>
__device__ unsigned low(S* s) { return s->low; }
__global__ void skipped(Bits* s, Derived* d, Plain* p) {
  s[0].whole = s[1].get() + d->low + TWICE(s[2]) + low(s) + low(p);
}
