// What would do something a second time cannot be named twice, and has a row that says so; nor bit fields there.
// expect-not: CUI_PACKED
// expect: "p->b[i++]", "p", "i++", "int", "", "", "in a packed structure, at a place that cannot be evaluated twice"
// expect: "p->b[next()]"
// expect: "part(p).b[i]"
// expect: "p->b[*turn]"
// expect: "p->one.low", "p", "", "unsigned int", "", "", "a bit field in a member of a packed structure"
// expect: "ELEMENT(p, k[i])", "p", "k[i]", "int", "ELEMENT", "", "in a packed structure, at a place that cannot be evaluated twice"
// expect: "in a packed structure, on several lines"
// expect: "p->next[i]", "p", "i", "int *", "", "", "a pointer with __restrict__ in a packed structure"
#define ELEMENT(s, i) (s)->b[i]
struct Bits { unsigned low : 3; };
struct __attribute__((packed)) Packed {
  char tag;
  int b[4];
  Bits one;
  int* __restrict__ next[2];
};
__device__ int next() { return 2; }
__device__ Packed& part(Packed* p) { return *p; }
__global__ void skipped(Packed* p, volatile int* turn, int* k) {
  int i = 0;
  p->b[i++] = 1;
  p->b[next()] = 2;
  part(p).b[i] = 3;
  p->b[*turn] = 4;
  p->one.low = 5;
  ELEMENT(p, k[i]) = 6;
  p->next[i] = k;
  p->b[i +
#if 1
       1
#endif
  ] = 7;
}
