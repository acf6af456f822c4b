// No reference binds to a member of a packed structure: the structure is wrapped, and the numbers say what is read.
// Over-aligned structures are like others.
// expect: CUI_ARROW_FIELD(#, 4, 1, p)->value = CUI_FIELD(#, 2, 5, p[1]).half;
// expect: CUI_FIELD(#, 4, 1, s[0].p).value = 1;
// expect: CUI_ARROW_FIELD(#, 8, 1, q)->wide = CUI_PACKED(#, (q->few[1]), q->few[1]);
// expect: CUI_ACCESS(#, r->wide) = 2;
// expect: CUI_ACCESS(#, a[i].x) = CUI_ACCESS(#, a[i].y);
struct __attribute__((packed)) Packed {
  char tag;
  int value;
  short half;
};
struct alignas(32) Aligned { float x, y; };
#pragma pack(push, 1)
struct Pragma {
  char tag;
  double wide;
  short few[3];
};
#pragma pack(pop)
#pragma pack(push, 8)
struct NotSmaller {
  char tag;
  double wide;
};
#pragma pack(pop)
struct Holds { int first; Packed p; };
__global__ void packed(Packed* p, Holds* s, Aligned* a, Pragma* q, NotSmaller* r) {
  int i = threadIdx.x;
  p->value = p[1].half;
  s[0].p.value = 1;
  a[i].x = a[i].y;
  q->wide = q->few[1];
  r->wide = 2;
}
