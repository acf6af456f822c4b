// Bit-fields that cannot be recorded through their structure, each with its reason.
// expect: "a bit field or packed member behind several overloaded ->"
// expect: "not every expansion of the macro is such an access"
// expect: "partly in a macro's text"
#define LOW(s) ((s).low + sizeof((s).whole))
#define ARROW(p) p->low
struct Bits {
  unsigned low : 4;
  unsigned whole;
};
struct Plain { unsigned low, whole; };
struct Handle {
  Bits* bits;
  __device__ Bits* operator->() const { return bits; }
};
struct Holder {
  Handle handle;
  __device__ Handle operator->() const { return handle; }
};
template <class S>
__device__ unsigned low(S* s) { return s->low; }
__global__ void skipped(Bits* s, Plain* p, Holder holder, unsigned* a) {
  s[0].whole = low(s) + low(p) + holder->low;
  s[1].whole = LOW(s[2]) + LOW(p[3]);
  a[0] = ARROW(1 + s);
}
